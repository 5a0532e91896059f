/**
 * llhttp, the parser inside of Node, asked what it makes of some bytes. The binding is Node's own and undocumented, but
 * the same from Node 12 on; nothing else gives the parser alone, without the server around it.
 */
process.noDeprecation = true;
const { HTTPParser, allMethods, methods } = process.binding("http_parser");
const names = allMethods ?? methods;

/** @returns {{messages: object[], error: string}} the requests that were read whole, and how it ended. */
export function llhttp(bytes) {
  const parser = new HTTPParser();
  parser.initialize(HTTPParser.REQUEST, {});
  const messages = [];
  let message = null;
  let lines = [];
  let url = "";
  let error = "";
  let upgrade = false;
  parser[HTTPParser.kOnHeaders | 0] = (headers, target) => {
    lines.push(...headers);
    url += target;
  };
  parser[HTTPParser.kOnHeadersComplete | 0] = (major, minor, headers, method, target, _c, _m, upgraded, keepAlive) => {
    const all = headers === undefined ? lines : [...lines, ...headers];
    const fields = [];
    for (let index = 0; index < all.length; index += 2) fields.push([all[index], all[index + 1]]);
    const version = `${major}.${minor}`;
    message = { method: names[method], target: target ?? url, version, fields, body: [], keepAlive };
    upgrade = upgraded;
    return 0;
  };
  parser[HTTPParser.kOnBody | 0] = (buffer, offset, length) => {
    message.body.push(...(offset === undefined ? buffer : buffer.subarray(offset, offset + length)));
  };
  parser[HTTPParser.kOnMessageComplete | 0] = () => {
    messages.push(message);
    message = null;
    lines = [];
    url = "";
  };
  const result = bytes.length > 0 ? parser.execute(bytes) : 0;
  if (result instanceof Error) error = result.code ?? "error";
  parser.close?.();
  return { messages, error, upgrade };
}
