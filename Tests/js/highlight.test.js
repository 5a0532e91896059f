import assert from 'node:assert/strict';
import { test } from 'node:test';
import { highlight } from '../../Public/js/models/highlight/highlight.js';
import { labelOf, languageOf } from '../../Public/js/models/highlight/languages.js';

/** The coloured parts of a code, `kind:text`. */
async function coloured(code, info) {
  const tokens = await highlight(code, info);
  return tokens.map(([start, end, kind]) => `${kind}:${code.slice(start, end)}`);
}

/** Code by language, and parts that must have a colour; `-` before a text means that it has none. */
const SNIPPETS = {
  swift: ['@MainActor func add(_ a: Int) -> String { /* a /* b */ c */ return "x\\"y" } // end\nlet n = 0x1F, t = true',
    'attribute:@MainActor', 'keyword:func', 'function:add', 'type:Int', 'comment:/* a /* b */ c */', 'string:"x\\"y"',
    'comment:// end', 'number:0x1F', 'literal:true'],
  javascript: ['const a = `x ${b}`; if (/[/"]+/.test(c)) return null; // d\n/* e */ f(1.5);',
    'keyword:const', 'string:`x ${b}`', 'string:/[/"]+/', 'literal:null', 'comment:// d', 'comment:/* e */',
    'function:f',
    'number:1.5'],
  typescript: ['interface A { readonly b: string }\n@Component class C {}', 'keyword:interface', 'keyword:readonly',
    'type:string', 'attribute:@Component', 'type:C'],
  python: ['@cached\ndef f(x):\n    """doc\n    more"""\n    return f\'{x}\' if None else 1_000  # why',
    'attribute:@cached', 'keyword:def', 'function:f', 'string:"""doc\n    more"""', 'string:f\'{x}\'', 'literal:None',
    'number:1_000', 'comment:# why'],
  go: ['func (s *Server) Run() error { x := `raw\n"`; return nil }', 'keyword:func', 'type:Server', 'type:error',
    'string:`raw\n"`', 'literal:nil'],
  rust: ['#[derive(Debug)]\nfn f<\'a>(x: &\'a str) -> u8 { println!("{}", r#"a"b"#); \'c\' as u8 }',
    'meta:#[derive(Debug)]',
    'keyword:fn', 'attribute:\'a', 'type:str', 'function:println!', 'string:r#"a"b"#', 'string:\'c\''],
  c: ['#include <stdio.h>\nint main(void) { char c = \'\\n\'; return NULL == 0; }', 'meta:#include', 'string:<stdio.h>',
    'type:int', 'function:main', 'string:\'\\n\'', 'keyword:return', 'literal:NULL', 'number:0'],
  cpp: ['template <typename T> auto f() -> std::vector<T> { throw 1; }', 'keyword:template', 'keyword:typename',
    'type:T',
    'keyword:throw'],
  csharp: ['public record Point(int X) { string p = @"c:\\"; var s = $"{X}"; }', 'keyword:record', 'type:Point',
    'string:@"c:\\"', 'string:$"{X}"'],
  java: ['@Override public final void run() { String s = """\na""";  }', 'attribute:@Override', 'keyword:final',
    'type:void',
    'string:"""\na"""'],
  kotlin: ['data class A(val b: Int?) { fun c() = when (b) { null -> "d" } }', 'keyword:data', 'keyword:val',
    'keyword:when',
    'literal:null', 'string:"d"'],
  ruby: ['def a?(b)\n  @c ||= :d # e\n  puts "#{b}"\nend', 'keyword:def', 'function:a?', 'attribute:@c', 'literal::d',
    'comment:# e', 'string:"#{b}"', 'keyword:end'],
  php: ['<?php\nfunction a(int $b) { # c\n  return \'d\'; }', 'meta:<?php', 'keyword:function', 'attribute:$b',
    'comment:# c',
    'string:\'d\''],
  shell: ['#!/bin/bash\nif [ -n "$A" ]; then echo ${B} --long; fi # c', 'comment:#!/bin/bash', 'keyword:if',
    'literal:-n',
    'string:"$A"', 'attribute:${B}', 'literal:--long', 'comment:# c', 'function:echo'],
  sql: ['select id, \'it\'\'s\' from "users" WHERE age > 3 -- all\n/* x */', 'keyword:select', 'string:\'it\'\'s\'',
    'attribute:"users"', 'keyword:WHERE', 'number:3', 'comment:-- all', 'comment:/* x */'],
  html: ['<!-- a --><a href="b" hidden>c &amp; d</a>', 'comment:<!-- a -->', 'keyword:<a', 'attribute:href',
    'string:"b"',
    'literal:&amp;', 'keyword:</a'],
  css: ['/* a */ .b, #c:hover { color: #fff; margin: 1.5em !important; width: calc(1px + var(--d)); }',
    'comment:/* a */',
    'type:.b', 'type:#c', 'attribute:color', 'literal:#fff', 'number:1.5em', 'keyword:!important', 'function:calc',
    'attribute:--d'],
  json: ['{"a": ["b", 1.5e3, -2, true, null]}', 'attribute:"a"', 'string:"b"', 'number:1.5e3', 'number:-2',
    'literal:true',
    'literal:null'],
  yaml: ['# a\nb:\n  - c-d: "e"\n    f: true # g\nh: &i 12', 'comment:# a', 'attribute:b', 'attribute:c-d',
    'string:"e"',
    'literal:true', 'comment:# g', 'type:&i', 'number:12'],
  toml: ['[a.b]\nc = "d" # e\nf = 2026-11-23T10:00:00Z\ng = [1, false]', 'type:[a.b]', 'attribute:c', 'string:"d"',
    'comment:# e',
    'number:2026-11-23T10:00:00Z', 'number:1', 'literal:false'],
  dockerfile: ['FROM swift:6.2 AS build\n# a\nRUN apt-get install -y "$B"', 'keyword:FROM', 'keyword:AS', 'comment:# a',
    'keyword:RUN', 'literal:-y', 'string:"$B"'],
  makefile: ['A := 1\nall: b.o $(C) # d\n\tcc -o $@ $<\nifeq ($(A),1)\nendif', 'attribute:A', 'function:all',
    'attribute:$(C)',
    'comment:# d', 'attribute:$@', 'keyword:ifeq'],
  diff: ['diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n same', 'meta:--- a/x', 'meta:+++ b/x',
    'function:@@ -1 +1 @@', 'deleted:-old', 'inserted:+new'],
  console: ['$ swift build -c release\nCompiling', 'meta:$', 'literal:-c'],
  powershell: ['Get-ChildItem -Path $Home # a', 'function:Get-ChildItem', 'literal:-Path', 'attribute:$Home',
    'comment:# a'],
  objectivec: ['@interface A : B\n#import <C/D.h>\n@"e"', 'keyword:@interface', 'string:<C/D.h>', 'string:@"e"'],
  scala: ['case class A(b: Int) // c', 'keyword:case', 'type:A', 'comment:// c'],
  dart: ['final String a = \'b\'; @override void c() {}', 'keyword:final', 'string:\'b\'', 'attribute:@override',
    'type:void'],
  groovy: ['def a = \'b\'\nplugins { id "c" }', 'keyword:def', 'string:\'b\'', 'string:"c"'],
  zig: ['const a = @import("std"); // b', 'keyword:const', 'function:@import', 'string:"std"', 'comment:// b'],
  protobuf: ['message A { repeated string b = 1; }', 'keyword:message', 'keyword:repeated', 'type:string', 'number:1'],
  graphql: ['query A($b: ID!) { c @skip } # d', 'keyword:query', 'attribute:$b', 'attribute:@skip', 'comment:# d'],
  cmake: ['if(A) # b\nset(C "${D}")', 'keyword:if', 'comment:# b', 'string:"${D}"', 'function:set'],
  lua: ['local a = nil -- b\n--[[ c\nd ]]', 'keyword:local', 'literal:nil', 'comment:-- b', 'comment:--[[ c\nd ]]'],
  perl: ['my $a = "b"; # c', 'keyword:my', 'attribute:$a', 'string:"b"', 'comment:# c'],
  r: ['a <- function(b) TRUE # c', 'keyword:function', 'literal:TRUE', 'comment:# c'],
  julia: ['function a(b::Int) #= c =# end', 'keyword:function', 'type:Int', 'comment:#= c =#'],
  elixir: ['defmodule A do\n  @b :c\n  def d, do: "e" # f\nend', 'keyword:defmodule', 'attribute:@b', 'literal::c',
    'string:"e"'],
  erlang: ['-module(a).\nb(C) -> case C of _ -> "d" end. % e', 'meta:-module', 'type:C', 'keyword:case', 'comment:% e'],
  haskell: ['module A where\nf\' :: Int -- b\n{- c -}', 'keyword:module', 'type:Int', 'comment:-- b',
    'comment:{- c -}'],
  ocaml: ['let rec a b = match b with _ -> "c" (* d *)', 'keyword:let', 'keyword:match', 'string:"c"',
    'comment:(* d *)'],
  fsharp: ['let a = fun b -> "c" // d', 'keyword:let', 'keyword:fun', 'comment:// d'],
  clojure: ['(defn a [b] {:c "d"}) ; e', 'keyword:defn', 'literal::c', 'string:"d"', 'comment:; e'],
  nix: ['{ a = with b; [ "c" ]; } # d', 'keyword:with', 'string:"c"', 'comment:# d'],
  vim: ['" a\nset b=1\nlet g:c = 2', 'comment:" a', 'keyword:set', 'attribute:g:c'],
  scss: ['$a: 1px; // b\n.c { @include d; }', 'attribute:$a', 'comment:// b', 'type:.c', 'keyword:@include'],
  ini: ['; a\n[b]\nc = true', 'comment:; a', 'type:[b]', 'literal:true'],
  hcl: ['resource "a" "b" {\n  c = true # d\n}', 'keyword:resource', 'string:"a"', 'literal:true', 'comment:# d'],
  nginx: ['server {\n  listen 80; # a\n  set $b on;\n}', 'keyword:server', 'number:80', 'comment:# a', 'attribute:$b',
    'literal:on'],
  http: ['GET /a HTTP/1.1\nHost: b\n\n{"c": null}', 'keyword:GET', 'attribute:Host', 'literal:null'],
  markdown: ['# A\n> b\n`c` **d**', 'keyword:# A', 'comment:> b', 'string:`c`', 'literal:**d**'],
  latex: ['\\section{A} $b$ % c', 'keyword:\\section', 'string:$b$', 'comment:% c'],
  gitconfig: ['[user]\n  name = Ada', 'type:[user]'],
  log: ['2026-11-23 10:00:00 ERROR "a"', 'number:2026-11-23 10:00:00', 'deleted:ERROR', 'string:"a"'],
};

test('each language has its colours', async () => {
  for (const [info, [code, ...expected]] of Object.entries(SNIPPETS)) {
    const parts = await coloured(code, info);
    for (const part of expected) assert.ok(parts.includes(part),
      `${info}: ${part} is not among ${JSON.stringify(parts)}`);
  }
});

test('ranges are in order, within the text, and do not overlap, for every language and any text', async () => {
  const texts = Object.values(SNIPPETS).map(([code]) => code);
  for (const info of Object.keys(SNIPPETS)) {
    for (const text of [...texts, '', '\n', '"', "'", '`', '/*', '"""', '\\', '@', '#', '<!--', '\ud83d', '😀"😀']) {
      let last = 0;
      for (const [start, end] of await highlight(text, info)) {
        assert.ok(start >= last && end > start && end <= text.length,
          `${info}: ${JSON.stringify(text)} ${start} ${end}`);
        last = end;
      }
    }
  }
});

test('a block is labelled by its language, or by the word that was written', () => {
  assert.deepEqual(['swift', 'js', 'TS {1,3}', 'c++', 'f#', 'sh', '', 'brainfuck', 'Dockerfile',
    'rust,no_run'].map(labelOf),
    ['Swift', 'JavaScript', 'TypeScript', 'C++', 'F#', 'Shell', '', 'brainfuck', 'Dockerfile', 'Rust']);
  assert.equal(languageOf('constructor'), null);
  assert.equal(languageOf(''), null);
});

test('a text without a language, or with one that has no table, has no colours', async () => {
  assert.deepEqual(await highlight('let a = 1', ''), []);
  assert.deepEqual(await highlight('let a = 1', 'brainfuck'), []);
});
