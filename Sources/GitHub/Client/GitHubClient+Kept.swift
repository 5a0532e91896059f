import Chat
import Outbound

extension GitHubClient {
  /// The account in the form that is stored. An avatar URL on the API's own origin becomes relative, since that origin
  /// may change (a stand-in's port, a renamed Enterprise host).
  func kept(_ account: GitHubAccount) -> GitHubAccount {
    guard let base, let address = WebAddress(account.avatarURL), address.hasOrigin(of: base) else { return account }
    var account = account
    account.avatarURL = address.target
    return account
  }
}
