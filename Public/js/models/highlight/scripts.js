/** Scripting, functional and command languages. */
import {
  ANNOTATION, CHARACTER, DASHES, DOUBLE, HASH, NUMBER, SINGLE, SLASHES, STARS, VARIABLE, quoted, quotedLines, through,
} from './sources.js';

/** @typedef {import('./lexer.js').Grammar} Grammar */

const PYTHON_STRING = String.raw`\b[bfrtuBFRTU]{0,2}`;
const IN_SHELL = String.raw`(?<=^|[\s;|&(])`;
const SHELL_COMMENT = String.raw`(?<=^|\s)#[^\n]*`;
const SHELL_WORDS = 'case do done elif else esac fi for function if in select then time until while';
const SHELL_COMMANDS = 'alias bg bind break builtin cat cd chmod chown command continue cp curl declare docker echo '
  + 'eval exec exit export false fg find getopts git grep hash head jobs kill let local ls make mapfile mkdir mv npm '
  + 'printf pushd popd pwd read readonly return rm sed set shift sleep source sort sudo swift tail tar test touch trap '
  + 'true type ulimit umask unalias unset wait xargs';

const CONDITIONS = 'ifdef|ifeq|ifndef|ifneq';

/** @type {Record<string, Grammar>} */
export const grammars = {
  python: {
    rules: [
      ['comment', HASH], ['string', `(?:${PYTHON_STRING})?${through('"""', '"""')}`],
      ['string', `(?:${PYTHON_STRING})?${through("'''", "'''")}`], ['string', `(?:${PYTHON_STRING})?${DOUBLE}`],
      ['string', `(?:${PYTHON_STRING})?${SINGLE}`], ['attribute', `^[ \\t]*${ANNOTATION}`], ['number', NUMBER],
    ],
    words: {
      keyword: 'and as assert async await break case class continue def del elif else except finally for from global '
        + 'if import in is lambda match nonlocal not or pass raise return try type while with yield',
      literal: 'True False None self cls',
      type: 'bool bytes dict float frozenset int list object set str tuple',
    },
    hasTypes: true, hasCalls: true,
  },
  ruby: {
    rules: [
      ['comment', HASH], ['comment', through('^=begin', '^=end')], ['string', quotedLines('"')],
      ['string', quotedLines("'")], ['string', quoted('`')], ['literal',
      String.raw`(?<!:):[\p{L}_][\p{L}\p{N}_]*[?!]?`],
      ['attribute', String.raw`@@?[\p{L}_][\p{L}\p{N}_]*|\$[\p{L}_]\w*`], ['number', NUMBER],
    ],
    words: {
      keyword: 'alias and begin break case class def defined do else elsif end ensure for if in module next not or '
        + 'redo rescue retry return super then undef unless until when while yield attr_accessor attr_reader '
        + 'attr_writer extend include lambda loop private proc protected public raise require require_relative',
      literal: 'true false nil self __FILE__ __LINE__',
    },
    word: String.raw`[\p{L}_][\p{L}\p{N}_]*[?!]?`, hasTypes: true, hasCalls: true,
  },
  shell: {
    rules: [
      ['comment', SHELL_COMMENT], ['string', quotedLines('"')], ['string', through("'", "'")], ['attribute', VARIABLE],
      ['literal', String.raw`(?<=\s)--?\p{L}[\p{L}\p{N}-]*`], ['attribute', String.raw`${IN_SHELL}[\p{L}_]\w*(?=[=])`],
    ],
    words: { keyword: SHELL_WORDS, function: SHELL_COMMANDS },
    word: String.raw`[\p{L}_][\p{L}\p{N}_./-]*`,
  },
  console: {
    rules: [['meta', String.raw`^[ \t]*(?:[\w.@~:/-]{0,60}[$%#]|PS>|>>>|>)(?=[ \t])`], ['string', DOUBLE], ['string',
      SINGLE],
      ['literal', String.raw`(?<=\s)--?\p{L}[\p{L}\p{N}-]*`]],
    word: String.raw`[\p{L}_][\p{L}\p{N}_./-]*`,
  },
  powershell: {
    rules: [['comment', through('<#', '#>')], ['comment', HASH], ['string', through('@"', '"@')],
      ['string', '"[^"`]*(?:`[^][^"`]*)*"?'], ['string', through("'", "'")], ['attribute', VARIABLE],
      ['literal', String.raw`(?<=\s)-\p{L}+`], ['function', String.raw`\b\p{L}+-\p{L}+`], ['number', NUMBER]],
    words: {
      keyword: 'begin break catch class continue data do dynamicparam else elseif end enum exit filter finally for '
        + 'foreach function if in param process return switch throw trap try until using while',
    },
    ignoresCase: true,
  },
  sql: {
    rules: [['comment', DASHES], ['comment', STARS], ['string', "'(?:[^']|'')*'?"], ['attribute', quoted('"')],
      ['attribute', quoted('`')], ['attribute', String.raw`[:@$][\p{L}_]\w*|\$\d+`], ['number', NUMBER]],
    words: {
      keyword: 'add all alter analyze and any as asc begin between by cascade case check collate column commit '
        + 'conflict constraint create cross current database declare default delete desc distinct do drop each else '
        + 'end escape except exists explain fetch first following for foreign from full function generated grant group '
        + 'having if ignore ilike in index inner insert intersect into is join key last lateral left like limit '
        + 'natural not nothing null nulls of offset on only or order outer over partition plan pragma preceding '
        + 'primary procedure range recursive references rename replace restrict returning returns revoke right '
        + 'rollback row rows savepoint schema select set some strict table temp temporary then to transaction trigger '
        + 'truncate unbounded union unique update using vacuum values view virtual when where window with without',
      literal: 'true false',
      type: 'bigint bigserial blob boolean bytea char character date decimal double float int integer interval json '
        + 'jsonb numeric real serial smallint text time timestamp timestamptz tinyint uuid varchar varying',
    },
    ignoresCase: true, hasCalls: true,
  },
  dockerfile: {
    rules: [['comment', '^[ \\t]*#[^\\n]*'], ['keyword',
      '^[ \\t]*(?:ADD|ARG|CMD|COPY|ENTRYPOINT|ENV|EXPOSE|FROM|HEALTHCHECK|'
      + 'LABEL|MAINTAINER|ONBUILD|RUN|SHELL|STOPSIGNAL|USER|VOLUME|WORKDIR)\\b'],
    ['keyword', String.raw`(?<=\s)AS(?=\s)`], ['string', DOUBLE], ['string', SINGLE], ['attribute', VARIABLE],
    ['literal', String.raw`(?<=\s)--?\p{L}[\p{L}\p{N}-]*`], ['number', NUMBER]],
    ignoresCase: true,
  },
  makefile: {
    rules: [['comment', HASH], ['function', String.raw`^[\w./%$(){} -]{1,200}(?=:(?![=:]))`],
      ['keyword', String.raw`^[ \t]*-?(?:define|else|endef|endif|export|${CONDITIONS}|include|override|vpath)\b`],
      ['attribute', String.raw`\$(?:\([^()\n]*\)?|\{[^{}\n]*\}?|[@<^+?*%$\w])`],
      ['attribute', String.raw`^[\w.-]+(?=[ \t]{0,8}[:?+]?=)`], ['string', DOUBLE], ['string', SINGLE]],
    word: String.raw`[\p{L}_][\p{L}\p{N}_.-]*`,
  },
  cmake: {
    rules: [['comment', HASH], ['string', quotedLines('"')], ['attribute', String.raw`\$\{[^}\n]*\}?`], ['number',
      NUMBER]],
    words: { keyword: 'if else elseif endif foreach endforeach while endwhile function endfunction macro endmacro '
      + 'return',
      literal: 'on off true false' },
    ignoresCase: true, hasCalls: true,
  },
  lua: {
    rules: [['comment', through(String.raw`--\[\[`, String.raw`\]\]`)], ['comment', DASHES],
      ['string', through(String.raw`\[\[`, String.raw`\]\]`)], ['string', DOUBLE], ['string', SINGLE], ['number',
      NUMBER]],
    words: {
      keyword: 'and break do else elseif end for function goto if in local not or repeat return then until while',
      literal: 'true false nil self',
    },
    hasCalls: true,
  },
  perl: {
    rules: [['comment', HASH], ['string', quotedLines('"')], ['string', quotedLines("'")],
      ['attribute', String.raw`[$@%][\p{L}_]\w*|\$[_\d&!@/\\]`], ['number', NUMBER]],
    words: {
      keyword: 'and die do each else elsif eval foreach for if join keys last local map my next no not or our package '
        + 'print push redo require return scalar shift sort split sub unless until use wantarray while',
      literal: 'undef',
    },
    hasTypes: true, hasCalls: true,
  },
  r: {
    rules: [['comment', HASH], ['string', quotedLines('"')], ['string', quotedLines("'")], ['number', NUMBER]],
    words: { keyword: 'break else for function if in library next repeat require return while',
      literal: 'TRUE FALSE NULL NA NaN Inf' },
    word: String.raw`[\p{L}_.][\p{L}\p{N}_.]*`, hasCalls: true,
  },
  julia: {
    rules: [['comment', through('#=', '=#')], ['comment', HASH], ['string', through('"""', '"""')], ['string', DOUBLE],
      ['string', CHARACTER], ['attribute', ANNOTATION], ['number', NUMBER]],
    words: {
      keyword: 'abstract baremodule begin break catch const continue do else elseif end export finally for function '
        + 'global if import in let local macro module mutable primitive quote return struct try type using where while',
      literal: 'true false nothing missing',
    },
    hasTypes: true, hasCalls: true,
  },
  elixir: {
    rules: [['comment', HASH], ['string', through('"""', '"""')], ['string', quotedLines('"')], ['attribute',
      ANNOTATION],
      ['literal', String.raw`(?<!:):[\p{L}_][\p{L}\p{N}_]*[?!]?`], ['number', NUMBER]],
    words: {
      keyword: 'after alias and case catch cond def defdelegate defimpl defmacro defmodule defp defprotocol defstruct '
        + 'do else end fn for if import in not or quote raise receive require rescue try unless unquote use when with',
      literal: 'true false nil',
    },
    word: String.raw`[\p{L}_][\p{L}\p{N}_]*[?!]?`, hasTypes: true, hasCalls: true,
  },
  erlang: {
    rules: [['comment', '%[^\\n]*'], ['string', DOUBLE], ['string', SINGLE], ['meta', String.raw`^-\p{L}+`],
      ['number', NUMBER]],
    words: { keyword: 'after and andalso begin case catch end fun if not of or orelse receive try when xor' },
    hasTypes: true, hasCalls: true,
  },
  haskell: {
    rules: [['comment', DASHES], ['comment', through(String.raw`\{-`, String.raw`-\}`)], ['string', DOUBLE],
      ['string', CHARACTER], ['number', NUMBER]],
    words: {
      keyword: 'case class data default deriving do else family forall foreign if import in infix infixl infixr '
        + 'instance let module newtype of qualified then type where',
    },
    word: String.raw`[\p{L}_][\p{L}\p{N}_']*`, hasTypes: true,
  },
  ocaml: {
    rules: [['comment', through(String.raw`\(\*`, String.raw`\*\)`)], ['string', quotedLines('"')], ['string',
      CHARACTER],
      ['number', NUMBER]],
    words: {
      keyword: 'and as assert begin class constraint do done downto else end exception external for fun function '
        + 'functor if in include inherit initializer lazy let match method module mutable new nonrec object of open or '
        + 'private rec sig struct then to try type val virtual when while with',
      literal: 'true false',
    },
    word: String.raw`[\p{L}_][\p{L}\p{N}_']*`, hasTypes: true,
  },
  fsharp: {
    rules: [['comment', SLASHES], ['comment', through(String.raw`\(\*`, String.raw`\*\)`)], ['string', through('"""',
      '"""')],
      ['string', quotedLines('"')], ['string', CHARACTER], ['number', NUMBER]],
    words: {
      keyword: 'abstract and as assert base begin class default delegate do done downcast downto elif else end '
        + 'exception extern finally fixed for fun function if in inherit inline interface internal lazy let match '
        + 'member module mutable namespace new not of open or override private public rec return static struct then to '
        + 'try type upcast use val void when while with yield',
      literal: 'true false null',
    },
    hasTypes: true,
  },
  clojure: {
    rules: [['comment', ';[^\\n]*'], ['string', quotedLines('"')], ['literal', String.raw`:[\p{L}\p{N}_./?*+!-]+`],
      ['number', NUMBER]],
    words: {
      keyword: 'case catch cond def defmacro defn defprotocol defrecord do doseq finally fn for if if-let let loop ns '
        + 'or and recur require throw try when when-let define lambda',
      literal: 'true false nil',
    },
    word: String.raw`[\p{L}_?*+!<>=/-][\p{L}\p{N}_.?*+!<>=/-]*`,
  },
  nix: {
    rules: [['comment', HASH], ['comment', STARS], ['string', through("''", "''")], ['string', quotedLines('"')],
      ['number', NUMBER]],
    words: { keyword: 'assert else if import in inherit let or rec then with', literal: 'true false null' },
    word: String.raw`[\p{L}_][\p{L}\p{N}_'-]*`,
  },
  vim: {
    rules: [['comment', '^[ \\t]*"[^\\n]*'], ['string', DOUBLE], ['string', through("'", "'|$")],
      ['attribute', String.raw`[bgslvwta]:\w+`], ['number', NUMBER]],
    words: { keyword: 'autocmd call command echo else elseif endfor endfunction endif endwhile execute for function if '
      + 'in let map nmap nnoremap noremap return set syntax unlet while' },
    hasCalls: true,
  },
};
