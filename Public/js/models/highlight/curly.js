/** Languages with braces. */
import {
  ANNOTATION, CHARACTER, DOUBLE, HASH, NUMBER, SINGLE, SLASHES, STARS, TICKS, quotedLines, through,
} from './sources.js';

/** @typedef {import('./lexer.js').Grammar} Grammar */

const TRIPLE = through('"""', '"""');
const DIRECTIVE = String.raw`^[ \t]*#[ \t]*\p{L}+`;
const HEADER = String.raw`(?<=#[ \t]{0,4}(?:include|import)[ \t]{0,4})<[^>\n]*>`;
/** A pattern of JavaScript, where no division can stand. */
const PATTERN = String.raw`(?<=[(,=:[!&|?{};\n][ \t]{0,2})/(?![*/])(?:[^\\/[\n]|\\.|\[(?:[^\\\]\n]|\\.)*\])+/[a-z]*`;

/**
 * @param {Grammar['words']} words @param {Grammar['rules']} rules @param {Partial<Grammar>} [more]
 * @returns {Grammar}
 */
const curly = (words, rules, more = {}) => ({
  rules: [['comment', SLASHES], ['comment', more.nests ? String.raw`/\*` : STARS], ...rules, ['number', NUMBER]],
  words, hasTypes: true, hasCalls: true, ...more,
});

const C_WORDS = 'auto break case const continue default do else enum extern for goto if inline register restrict '
  + 'return sizeof static struct switch typedef union volatile while';
const C_TYPES = 'bool char double float int long short signed size_t ssize_t uint8_t uint16_t uint32_t uint64_t int8_t '
  + 'int16_t int32_t int64_t unsigned void wchar_t';
/** @type {Grammar['rules']} */
const C_RULES = [['string', HEADER], ['meta', DIRECTIVE], ['string', DOUBLE], ['string', CHARACTER]];
const JS_WORDS = 'as async await break case catch class const continue debugger default delete do else export extends '
  + 'finally for from function get if import in instanceof let new of return set static super switch this throw try '
  + 'typeof var void while with yield';
const JS_LITERALS = 'true false null undefined NaN Infinity';
/** @type {Grammar['rules']} */
const JS_RULES = [
  ['string', TICKS], ['string', DOUBLE], ['string', SINGLE], ['string', PATTERN], ['attribute', ANNOTATION],
];
const JAVA_WORDS = 'abstract assert break case catch class const continue default do else enum extends final finally '
  + 'for goto if implements import instanceof interface native new package permits private protected public record '
  + 'return sealed static strictfp super switch synchronized this throw throws transient try var volatile while yield';
const JAVA_TYPES = 'boolean byte char double float int long short void';

/** @type {Record<string, Grammar>} */
export const grammars = {
  swift: curly({
    keyword: 'actor any as associatedtype async await borrowing break case catch class consuming continue convenience '
      + 'default defer deinit do dynamic else enum extension fallthrough fileprivate final for func get guard if '
      + 'import in indirect infix init inout internal is isolated lazy let macro mutating nonisolated nonmutating open '
      + 'operator optional override package postfix precedencegroup prefix private protocol public repeat required '
      + 'rethrows return sending set some static struct subscript super switch throw throws try typealias unowned var '
      + 'weak where while willSet didSet',
    literal: 'true false nil self Self',
  }, [
    ['string', through('#"""', '"""#')], ['string', TRIPLE], ['string', '#"[^\\n]*?(?:"#|$)'], ['string', DOUBLE],
    ['attribute', ANNOTATION], ['meta', String.raw`#\p{L}+`],
  ], { nests: true }),
  javascript: curly({ keyword: JS_WORDS, literal: JS_LITERALS }, JS_RULES),
  typescript: curly({
    keyword: `${JS_WORDS} abstract asserts declare enum implements infer interface is keyof module namespace override `
      + 'private protected public readonly satisfies type unique',
    literal: JS_LITERALS, type: 'any bigint boolean never number object string symbol unknown',
  }, JS_RULES),
  go: curly({
    keyword: 'break case chan const continue default defer else fallthrough for func go goto if import interface map '
      + 'package range return select struct switch type var',
    literal: 'true false nil iota',
    type: 'any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string '
      + 'uint uint8 uint16 uint32 uint64 uintptr',
  }, [['string', through('`', '`')], ['string', DOUBLE], ['string', CHARACTER]]),
  rust: curly({
    keyword: 'as async await become box break const continue crate dyn else enum extern fn for if impl in let loop '
      + 'macro match mod move mut pub ref return static struct super trait type union unsafe use where while yield',
    literal: 'true false self Self',
    type: 'bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize',
  }, [
    ['string', String.raw`\bb?r(?<hashes>#{0,8})"[^]*?(?:"\k<hashes>|(?![^]))`], ['string', `b?${quotedLines('"')}`],
    ['string', CHARACTER], ['attribute', String.raw`'[\p{L}_][\p{L}\p{N}_]*`], ['meta', String.raw`#!?\[[^\]\n]*\]?`],
    ['function', String.raw`[\p{L}_][\p{L}\p{N}_]*!(?![=])`],
  ], { nests: true }),
  c: curly({ keyword: `${C_WORDS} _Atomic _Generic _Static_assert`, literal: 'true false NULL', type: C_TYPES },
    C_RULES),
  cpp: curly({
    keyword: `${C_WORDS} alignas alignof and catch class co_await co_return co_yield concept consteval constexpr `
      + 'constinit const_cast decltype delete dynamic_cast explicit export final friend import module mutable '
      + 'namespace new noexcept not operator or override private protected public reinterpret_cast requires '
      + 'static_assert static_cast template thread_local throw try typeid typename using virtual',
    literal: 'true false nullptr NULL this', type: `${C_TYPES} string vector map`,
  }, [['string', through(String.raw`R"\(`, String.raw`\)"`)], ...C_RULES]),
  csharp: curly({
    keyword: 'abstract as async await base break case catch checked class const continue default delegate do else enum '
      + 'event explicit extern finally fixed for foreach get global goto if implicit in init interface internal is '
      + 'lock namespace new nameof operator out override params partial private protected public readonly record ref '
      + 'required return sealed set sizeof stackalloc static struct switch this throw try typeof unchecked unsafe '
      + 'using value var virtual volatile when where while with yield',
    literal: 'true false null',
    type: 'bool byte char decimal double dynamic float int long object sbyte short string uint ulong ushort void',
  }, [
    ['string', TRIPLE], ['string', String.raw`\$?@"(?:[^"]|"")*"?`], ['string', `\\$?${DOUBLE}`], ['string', CHARACTER],
    ['meta', DIRECTIVE],
  ]),
  java: curly({ keyword: JAVA_WORDS, literal: 'true false null', type: JAVA_TYPES }, [
    ['string', TRIPLE], ['string', DOUBLE], ['string', CHARACTER], ['attribute', ANNOTATION],
  ]),
  kotlin: curly({
    keyword: 'abstract actual as break by catch class companion const constructor continue crossinline data do else '
      + 'enum expect external final finally for fun get if import in infix init inline inner interface internal is '
      + 'lateinit noinline object open operator out override package private protected public reified return sealed '
      + 'set super suspend tailrec this throw try typealias val value var vararg when where while',
    literal: 'true false null',
  }, [['string', TRIPLE], ['string', DOUBLE], ['string', CHARACTER], ['attribute', ANNOTATION]], { nests: true }),
  objectivec: curly({ keyword: `${C_WORDS} in self super`, literal: 'YES NO nil Nil NULL true false',
    type: `${C_TYPES} id` },
    [['keyword', String.raw`@\p{L}+`], ['string', `@${DOUBLE}`], ...C_RULES]),
  scala: curly({
    keyword: 'abstract case catch class def do else enum export extends extension final finally for forSome given if '
      + 'implicit import inline lazy match new object opaque open override package private protected return sealed '
      + 'super then this throw trait try type using val var while with yield',
    literal: 'true false null',
  }, [['string', TRIPLE], ['string', DOUBLE], ['string', CHARACTER], ['attribute', ANNOTATION]], { nests: true }),
  dart: curly({
    keyword: 'abstract as assert async await base break case catch class const continue covariant default deferred do '
      + 'else enum export extends extension external factory final finally for get hide if implements import in '
      + 'interface is late library mixin new of on operator part required rethrow return sealed set show static super '
      + 'switch sync this throw try typedef var when while with yield',
    literal: 'true false null', type: 'bool double dynamic int num void',
  }, [['string', TRIPLE], ['string', DOUBLE], ['string', SINGLE], ['attribute', ANNOTATION]], { nests: true }),
  groovy: curly({ keyword: `${JAVA_WORDS} as def in trait`, literal: 'true false null', type: JAVA_TYPES }, [
    ['string', TRIPLE], ['string', DOUBLE], ['string', SINGLE], ['attribute', ANNOTATION],
  ]),
  php: curly({
    keyword: 'abstract and array as break callable case catch class clone const continue declare default do echo else '
      + 'elseif empty enum extends final finally fn for foreach function global goto if implements include '
      + 'include_once instanceof insteadof interface isset list match namespace new or print private protected public '
      + 'readonly require require_once return static switch throw trait try unset use var while xor yield',
    literal: 'true false null TRUE FALSE NULL',
    type: 'bool int float string iterable mixed never object self parent void',
  }, [
    ['meta', String.raw`<\?(?:php|=)?|\?>`], ['meta', String.raw`#\[`], ['comment', HASH], ['string', quotedLines('"')],
    ['string', quotedLines("'")], ['attribute', String.raw`\$[\p{L}_][\p{L}\p{N}_]*`],
  ]),
  zig: curly({
    keyword: 'align and anyframe asm async await break catch comptime const continue defer else enum errdefer error '
      + 'export extern fn for if inline noalias nosuspend opaque or orelse packed pub resume return struct suspend '
      + 'switch test threadlocal try union unreachable usingnamespace var volatile while',
    literal: 'true false null undefined',
    type: 'anyerror anyopaque anytype bool f16 f32 f64 i8 i16 i32 i64 isize noreturn type u8 u16 u32 u64 usize void',
  }, [['string', String.raw`\\\\[^\n]*`], ['string', DOUBLE], ['string', CHARACTER], ['function',
    String.raw`@\p{L}+`]]),
  protobuf: curly({
    keyword: 'enum extend extensions import message oneof option optional package repeated required reserved returns '
      + 'rpc service stream syntax to',
    literal: 'true false',
    type: 'bool bytes double fixed32 fixed64 float int32 int64 map sint32 sint64 string uint32 uint64',
  }, [['string', DOUBLE], ['string', SINGLE]]),
  graphql: {
    rules: [['comment', HASH], ['string', TRIPLE], ['string', DOUBLE], ['attribute', ANNOTATION],
      ['attribute', String.raw`\$\w+`], ['number', NUMBER]],
    words: {
      keyword: 'directive enum extend fragment implements input interface mutation on query scalar schema subscription '
        + 'type union',
      literal: 'true false null',
    },
    hasTypes: true,
  },
};
