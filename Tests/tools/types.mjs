// Type-checks the browser's code as jsconfig.json says, and reports texts of the catalogues that nothing reads. Views
// and pages are checked without `strict`: nearly all that it finds there is `querySelector` of a node that exists.
import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const tsc = realpathSync(execFileSync('which', ['tsc'], { encoding: 'utf8' }).trim());
const ts = createRequire(tsc)('../lib/typescript.js');

const stop = (diagnostic) => { throw new Error(ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n')); };
const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: stop };
const { fileNames, options } = ts.getParsedCommandLineOfConfigFile(`${root}jsconfig.json`, {}, host);
const program = ts.createProgram(fileNames, options);
const checker = program.getTypeChecker();
const isCatalogue = ({ fileName }) => fileName.startsWith(`${root}Public/js/models/texts`);
const own = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(`${root}Public/js/`)
  && !fileName.startsWith(`${root}Public/js/languages/`));

/** The texts and groups of texts, by the place where they are written. */
const paths = new Map();
function collect(node, path = []) {
  const isNamed = ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node);
  const inner = isNamed ? [...path, node.name.text] : path;
  if (ts.isPropertyAssignment(node)) paths.set(node, inner);
  if (!ts.isFunctionLike(node)) ts.forEachChild(node, (child) => collect(child, inner));
}
own.filter(isCatalogue).forEach((file) => collect(file));

const read = new Set();
const isText = (symbol) => symbol?.declarations?.some((declaration) => paths.has(declaration));
const readSymbol = (symbol) => symbol?.declarations?.forEach((declaration) => read.add(declaration));
const readMembers = (type) => type.getProperties().filter(isText).forEach(readSymbol);

/** Whether a group's members are read without their names, unlike in `group.name` and `{ name } = group`. */
function isPassedOn(node) {
  const { parent } = node;
  if (ts.isElementAccessExpression(parent)) return !ts.isStringLiteralLike(parent.argumentExpression);
  const names = [ts.isPropertyAccessExpression, ts.isVariableDeclaration, ts.isPropertyDeclaration, ts.isBindingElement,
    ts.isImportSpecifier];
  return parent.name !== node && !names.some((isNamed) => isNamed(parent));
}

function visit(node) {
  if (ts.isPropertyAccessExpression(node)) readSymbol(checker.getSymbolAtLocation(node.name));
  if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression)) {
    readSymbol(checker.getPropertyOfType(checker.getTypeAtLocation(node.expression), node.argumentExpression.text));
  }
  if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent) && !node.dotDotDotToken) {
    const { text } = node.propertyName ?? node.name;
    if (text) readSymbol(checker.getPropertyOfType(checker.getTypeAtLocation(node.parent), text));
  }
  if (ts.isMetaProperty(node)) return;
  const isGroup = ts.isIdentifier(node) || ts.isPropertyAccessExpression(node);
  if (isGroup && isPassedOn(node)) readMembers(checker.getTypeAtLocation(node));
  ts.forEachChild(node, visit);
}
own.forEach(visit);

const isLoose = ({ file }) => /\/Public\/js\/(?:(?:views|pages)\/|\w+\.js$)/u.test(file?.fileName);
const loose = ts.createProgram(fileNames, { ...options, strict: false }, undefined, program);
const diagnostics = [
  ...ts.getPreEmitDiagnostics(program).filter((found) => !isLoose(found)),
  ...ts.getPreEmitDiagnostics(loose).filter(isLoose),
];
const findings = diagnostics.map((diagnostic) => ts.formatDiagnostic(diagnostic, {
  getCanonicalFileName: (name) => name, getCurrentDirectory: () => root, getNewLine: () => '\n',
}).trimEnd());
for (const [node, path] of paths) {
  const isGroup = ts.isObjectLiteralExpression(node.initializer);
  if (isGroup || read.has(node)) continue;
  const file = node.getSourceFile();
  const { line } = file.getLineAndCharacterOfPosition(node.getStart());
  findings.push(`${file.fileName.slice(root.length)}:${line + 1}: nobody reads ${path.join('.')}`);
}
for (const finding of findings) console.log(finding);
console.log(findings.length === 0 ? `${own.length} files, nothing found` : `${findings.length} findings`);
process.exitCode = findings.length === 0 ? 0 : 1;
