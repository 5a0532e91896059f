/// The person on whose behalf the current task works, so that people take turns when work is queued. It is used only
/// for fairness, never for permissions.
package enum Asker {
  @TaskLocal package static var current: UserID?
}
