/// Thrown by a suspending responder to close the connection without a response, as a crashed server would.
package struct AbandonedRequest: Error {
  package init() {}
}
