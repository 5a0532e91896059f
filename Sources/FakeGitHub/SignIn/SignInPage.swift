import Crypto
import FoundationEssentials

/// The stand-in's sign-in pages: choose an account and give consent. Plain form posts, without scripts.
struct SignInPage {
  /// What the page asks or says.
  enum Kind: Equatable {
    /// Consent for an application, with the origin it redirects to.
    case authorize(application: String, redirectOrigin: String, scopes: [String])
    /// A device's code, prefilled if known.
    case device(code: String)
    /// A message.
    case notice(title: String, text: String)
  }

  var kind: Kind
  /// The accounts to choose from.
  var people: [Person] = []
  /// The preselected login.
  var chosen = ""
  /// What was wrong with the last input, or empty.
  var complaint = ""

  /// The page with its header fields.
  func answer(status: Int = 200) -> Simulation.Answer {
    var target = "'self'"
    if case .authorize(_, let origin, _) = kind { target += " " + origin }
    let digest = Data(SHA256.hash(data: Data(Self.style.utf8))).base64EncodedString()
    // Browsers also check form-action against the redirect that follows a form post.
    let policy =
      "default-src 'none'; img-src 'self' data:; style-src 'sha256-\(digest)'; form-action \(target); "
      + "frame-ancestors 'none'; base-uri 'none'"
    return Simulation.Answer(
      status: status,
      fields: [
        "content-type": "text/html; charset=utf-8", "content-security-policy": policy, "cache-control": "no-store",
        "referrer-policy": "no-referrer",
      ], body: Array(html.utf8))
  }

  private var html: String {
    """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(HTML.escaped(title)) · Stand-in for GitHub</title>
    <link rel="icon" href="data:,">
    <style>\(Self.style)</style>
    <header><strong>Not GitHub.</strong> This is the demo’s stand-in; nothing leaves this machine.</header>
    <main>
    <h1>\(HTML.escaped(title))</h1>
    \(content)
    </main>
    </html>

    """
  }

  private var title: String {
    switch kind {
    case .authorize(let application, _, _): "Sign in to \(application)"
    case .device: "Connect a device"
    case .notice(let title, _): title
    }
  }

  private var content: String {
    switch kind {
    case .notice(_, let text):
      return "<p role=\"status\">\(HTML.escaped(text))</p>"
    case .authorize(let application, let origin, let scopes):
      let asked = scopes.isEmpty ? "nothing beyond your public profile" : scopes.joined(separator: ", ")
      return """
        <p><b>\(HTML.escaped(application))</b> wants to know who you are. It asks for \(HTML.escaped(asked)).</p>
        \(form(before: ""))
        <p class="small">Whatever you choose, you go back to \(HTML.escaped(origin)).</p>
        """
    case .device(let code):
      let field = """
        <label class="code">Code shown on the device
        <input name="user_code" value="\(HTML.escaped(code))" autocomplete="off" autocapitalize="characters" \
        spellcheck="false" required placeholder="ABCD-EFGH">
        </label>
        """
      return form(before: field)
    }
  }

  private func form(before field: String) -> String {
    let login = (chosen.isEmpty ? people.first?.login ?? "" : chosen).lowercased()
    let isOther = !people.contains { $0.login.lowercased() == login }
    let rows = people.map { person in
      let isChosen = person.login.lowercased() == login
      return """
        <label class="row"><input type="radio" name="login" value="\(HTML.escaped(person.login))"\
        \(isChosen ? " checked" : "")>
        <img src="/u/\(person.avatar)?s=80" width="40" height="40" alt="">
        <span><b>\(HTML.escaped(person.name ?? person.login))</b> <span>\(HTML.escaped(person.login))</span></span></label>
        """
    }
    let complaint = complaint.isEmpty ? "" : "<p class=\"complaint\" role=\"alert\">\(HTML.escaped(complaint))</p>"
    return """
      <form method="post">
      \(complaint)\(field)
      <fieldset><legend>Continue as</legend>
      \(rows.joined(separator: "\n"))
      <div class="row other"><label><input type="radio" name="login" value=""\(isOther ? " checked" : "")> Somebody \
      else</label>
      <input name="other" value="\(isOther ? HTML.escaped(chosen) : "")" aria-label="Login of somebody else" \
      placeholder="login" autocomplete="off" autocapitalize="none" spellcheck="false"></div>
      </fieldset>
      <div class="buttons"><button name="decision" value="authorize">Authorize</button>
      <button name="decision" value="cancel" class="plain" formnovalidate>Cancel</button></div>
      </form>
      """
  }

  private static let style = """
    :root { color-scheme: light dark; --paper: light-dark(#f4f4f1, #16181b); --card: light-dark(#fff, #202327);
      --ink: light-dark(#1c1f23, #eceef0); --soft: light-dark(#565c64, #a9b0b8); --line: light-dark(#d5d7da, #3a3f45);
      --teal: light-dark(#0b6a63, #0d7a72); --teal-ink: light-dark(#0b6a63, #5ecfc4); --red: light-dark(#a8201a, #ff9d94); }
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.45 system-ui, sans-serif; }
    header { padding: .6rem 1rem; text-align: center; font-size: .875rem; color: #2b2000;
      background: repeating-linear-gradient(-45deg, #ffd75e 0 1.2rem, #ffe08a 1.2rem 2.4rem); }
    main { width: min(26rem, 100% - 2rem); margin: 2rem auto; }
    h1 { font-size: 1.375rem; line-height: 1.25; margin: 0 0 .75rem; text-wrap: balance; }
    .small { font-size: .8125rem; color: var(--soft); overflow-wrap: anywhere; }
    fieldset { margin: 0; padding: 0; border: 1px solid var(--line); border-radius: .75rem; background: var(--card);
      overflow: hidden; }
    legend { float: left; width: 100%; padding: .75rem 1rem .5rem; font-size: .8125rem; color: var(--soft); }
    .row { clear: both; display: flex; align-items: center; gap: .75rem; min-height: 3.5rem; padding: .4rem 1rem;
      border-top: 1px solid var(--line); cursor: pointer; }
    .row > span { display: grid; min-width: 0; overflow-wrap: anywhere; }
    .row > span > span { font-size: .8125rem; color: var(--soft); }
    .row:has(:checked) { background: color-mix(in oklab, var(--teal) 12%, var(--card)); }
    .row:has(input:focus-visible) { outline: 3px solid var(--teal-ink); outline-offset: -3px; }
    .row img { border-radius: 50%; flex: none; }
    .other { flex-wrap: wrap; }
    .other label { display: flex; align-items: center; gap: .75rem; min-height: 2.75rem; cursor: pointer; }
    .other:not(:has(:checked)) input[name=other] { display: none; }
    input[type=radio] { width: 1.15rem; height: 1.15rem; margin: 0; accent-color: var(--teal); flex: none; }
    input:not([type=radio]) { flex: 1; min-width: 9rem; width: 100%; min-height: 2.75rem; padding: 0 .75rem; font: inherit;
      color: inherit; background: var(--paper); border: 1px solid var(--soft); border-radius: .5rem; }
    .code { display: grid; gap: .35rem; margin-bottom: 1rem; }
    .code input { font-family: ui-monospace, monospace; letter-spacing: .1em; text-transform: uppercase; }
    .buttons { display: flex; gap: .75rem; margin: 1rem 0; }
    button { flex: 1; min-height: 2.75rem; font: inherit; font-weight: 600; cursor: pointer; border-radius: .5rem;
      border: 1px solid var(--teal); background: var(--teal); color: #fff; }
    button.plain { background: none; color: var(--ink); border-color: var(--soft); }
    :is(button, input:not([type=radio])):focus-visible { outline: 3px solid var(--teal-ink); outline-offset: 2px; }
    .complaint { padding: .75rem 1rem; border: 1px solid var(--red); border-radius: .5rem; color: var(--red); }
    """
}
