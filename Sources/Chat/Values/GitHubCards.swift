/// What references in messages lead to.
package struct GitHubCards: Sendable {
  /// One thing, of either sort.
  package enum Card: Hashable, Sendable {
    case thing(GitHubThing)
    case person(GitHubProfile)

    /// The account that it belongs to: the author, or the person.
    package var face: GitHubProfile.Face? {
      switch self {
      case .thing(let thing): thing.author
      case .person(let profile): profile.face
      }
    }
  }

  /// The card of each reference, in the order asked; nil for what does not exist, is not public, or cannot be had now.
  package var cards: [Card?]
  /// Why a card is old or missing although GitHub was to be asked.
  package var failure: DirectoryFailure?

  package init(cards: [Card?], failure: DirectoryFailure? = nil) {
    self.cards = cards
    self.failure = failure
  }
}
