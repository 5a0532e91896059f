/** The languages of code blocks: how they are called, and which table has their words. */

/** `family: name label aliases`, one language a line. */
const TABLE = {
  curly: `swift Swift
javascript JavaScript js jsx mjs cjs node
typescript TypeScript ts tsx mts cts
go Go golang
rust Rust rs
c C h
cpp C++ c++ cc cxx hpp hxx
csharp C# c# cs
java Java
kotlin Kotlin kt kts
objectivec Objective-C objc objective-c obj-c mm
scala Scala
dart Dart
groovy Groovy gradle
php PHP php3 phtml
zig Zig
protobuf Protobuf proto
graphql GraphQL gql`,
  scripts: `python Python py python3 pyi pycon
ruby Ruby rb gemfile rakefile
shell Shell sh bash zsh fish ksh shell-script
console Console shell-session terminal sh-session bash-session
powershell PowerShell ps1 pwsh posh
sql SQL sqlite postgresql postgres mysql plsql tsql psql
dockerfile Dockerfile docker containerfile
makefile Makefile make mk gnumakefile
cmake CMake
lua Lua
perl Perl pl
r R
julia Julia jl
elixir Elixir ex exs
erlang Erlang erl
haskell Haskell hs
ocaml OCaml ml
fsharp F# f# fs
clojure Clojure clj lisp scheme racket elisp emacs-lisp edn
nix Nix
vim Vim viml vimscript`,
  data: `html HTML xhtml htm xml svg vue svelte plist rss xsd xsl astro
css CSS
scss SCSS sass less
json JSON json5 jsonc jsonl geojson ipynb
yaml YAML yml
toml TOML cargo
ini INI properties conf cfg dotenv env editorconfig
hcl HCL terraform tf tfvars
nginx nginx nginxconf
http HTTP
markdown Markdown md mdx
latex LaTeX tex
gitconfig Git gitignore gitattributes
log Log logs`,
  lines: 'diff Diff patch udiff',
};

/** @typedef {{name: string, label: string, family: string}} Language */

/** @type {Map<string, Language>|undefined} */
let named;

function read() {
  /** @type {Map<string, Language>} */
  const languages = new Map();
  for (const [family, lines] of Object.entries(TABLE)) {
    for (const line of lines.split('\n')) {
      const [name, label, ...aliases] = line.split(' ');
      for (const one of [name, ...aliases]) languages.set(one, { name, label, family });
    }
  }
  return languages;
}

/**
 * The language of a code block by the first word behind its fence.
 * @param {string} info
 * @returns {Language|null} null if it has no table
 */
export function languageOf(info) {
  named ??= read();
  const word = /^[^\s,{:;]+/u.exec(info.trim())?.[0].toLowerCase() ?? '';
  return named.get(word) ?? null;
}

/** What a code block is labelled with: the language's name, else the word that was written. @param {string} info */
export const labelOf = (info) => languageOf(info)?.label ?? /^\S{0,40}/u.exec(info.trim())?.[0] ?? '';
