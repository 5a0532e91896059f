/**
 * The accepted differences between the project's parser and llhttp. The first rule that holds explains a difference.
 * `kind` says who does what, `own.reason` and `other.error` are the errors of our parser and of llhttp, `rest` the
 * bytes from the first difference on.
 */
const refused = (...reasons) => ({ kind, own }) => kind === "only we refuse" && reasons.includes(own.reason);
const method = (rest) => rest.replace(/^\r\n/, "").split(/[ \r\n]/, 1)[0];
/** Methods that llhttp has in its list and that this parser's inputs can spell. */
const known = new Set([
  "DELETE", "GET", "HEAD", "POST", "PUT", "CONNECT", "OPTIONS", "TRACE", "COPY", "LOCK", "MKCOL", "MOVE", "PROPFIND",
  "PROPPATCH", "SEARCH", "UNLOCK", "BIND", "REBIND", "UNBIND", "ACL", "REPORT", "MKACTIVITY", "CHECKOUT", "MERGE",
  "M-SEARCH", "NOTIFY", "SUBSCRIBE", "UNSUBSCRIBE", "PATCH", "PURGE", "MKCALENDAR", "LINK", "UNLINK", "SOURCE", "QUERY",
]);

export const differences = [
  {
    why: "9112 3.2: no Host, two, or an invalid one is 400; llhttp leaves the field to the server around it",
    holds: refused("no Host", "more than one Host", "invalid Host"),
  },
  {
    why: "9112 3.2, 3986: what is no target is 400; llhttp hands nearly any bytes on",
    holds: refused(
      "invalid character in the target", "invalid target", "invalid authority", "dot segment in the path",
      "malformed percent-encoding", "the path is not UTF-8", "control character in the path",
      "the target * is for OPTIONS"),
  },
  {
    why: "9110 10.1.1: an unknown expectation is 417; llhttp leaves the field to the server around it",
    holds: refused("unknown expectation"),
  },
  {
    why: "9112 2.2: one empty line before a request is skipped; llhttp skips any number, and bare CR and LF too",
    holds: (difference) => refused("invalid method", "bare CR")(difference) && /^[\r\n]/.test(difference.rest),
  },
  {
    why: "9112 3: one space each; llhttp takes more between the parts of a request line",
    holds: (difference) => refused("no target", "invalid version")(difference) && / {2}/.test(difference.rest),
  },
  {
    why: "9113 3.4: the HTTP/2 preface is 505; llhttp waits for more of it",
    holds: ({ kind, own, rest }) =>
      kind === "only we refuse" && own.reason === "only HTTP/1.1 and HTTP/1.0 are spoken" && method(rest) === "PRI",
  },
  {
    why: "9110 9.1: any token is a method, answered 501 later where nobody knows it; llhttp has a list",
    holds: ({ kind, other, rest }) =>
      kind === "only llhttp refuses" && other.error === "HPE_INVALID_METHOD" && !known.has(method(rest)),
  },
  {
    why: "9110 2.5: a higher minor version of HTTP/1 is read as 1.1; llhttp knows 1.0 and 1.1",
    holds: ({ kind, other, rest }) =>
      kind === "only llhttp refuses" && other.error === "HPE_INVALID_VERSION" && / HTTP\/1\.[2-9]/.test(rest),
  },
  {
    why: "9112 6.3: two framings are refused at the head's end; llhttp refuses the second as it comes",
    holds: ({ kind, own, other, rest }) =>
      kind === "only llhttp refuses" && !own.reason && !rest.includes("\r\n\r\n") &&
      /^HPE_(INVALID_TRANSFER_ENCODING|INVALID_CONTENT_LENGTH|UNEXPECTED_CONTENT_LENGTH)$/.test(other.error),
  },
  {
    why: "9110 6.5.1: trailers are dropped, whatever their names; llhttp reads framing among them like the head's",
    holds: ({ kind, other, rest }) =>
      kind === "only llhttp refuses" &&
      /^HPE_(INVALID|UNEXPECTED)_(CONTENT_LENGTH|TRANSFER_ENCODING)$/.test(other.error) &&
      /transfer-encoding:[^]*\r\n\r\n[^]*0[^\n]*\r\n[^]*(content-length|transfer-encoding):/i.test(rest),
  },
  {
    why: "9112 5: a tab behind a value is white space like any; llhttp takes it for a part of lengths and options",
    holds: ({ kind, other, a, b, rest }) =>
      /(content-length|connection|transfer-encoding):[^\n]*\t *[,\r]/i.test(rest) &&
      (kind === "read otherwise" ? a.keepAlive !== b.keepAlive : /LENGTH|ENCODING/.test(other.error)),
  },
  {
    why: "9112 6.1: a coding that is not understood is 501; llhttp hands the body on as it is",
    holds: refused("unknown transfer coding"),
  },
  {
    why: "9112 6.1: Transfer-Encoding in HTTP/1.0 is faulty framing; llhttp decodes it",
    holds: refused("Transfer-Encoding in HTTP/1.0"),
  },
  {
    why: "9112 11.2: a Transfer-Encoding with an empty member is refused; llhttp skips it",
    holds: (difference) =>
      refused("invalid Transfer-Encoding")(difference) &&
      /transfer-encoding:[ \t]*(\r|,)|transfer-encoding:[^\r]*,[ \t]*(\r|,)/i.test(difference.rest),
  },
  {
    why: "9112 9.3: close wins over keep-alive; with llhttp the last line does",
    holds: ({ kind, a, b }) => {
      const options = (a?.fields ?? []).filter(([name]) => name.toLowerCase() === "connection")
        .map(([, value]) => value);
      return kind === "read otherwise" && !a.keepAlive && b.keepAlive &&
        options.length > 1 && /close/i.test(options.join());
    },
  },
  {
    why: "a field is judged when it has come, a request line at its end; llhttp judges earlier or later",
    holds: ({ kind, own, other, rest }) =>
      !rest.includes("\r\n\r\n") &&
      (kind === "only we refuse" ? own.reason === "invalid Transfer-Encoding" : other.error === "HPE_INVALID_URL"),
  },
  {
    why: "a body beyond the limit is 413 as soon as its size is known; llhttp has no limit",
    holds: refused("the body is too large"),
  },
  {
    why: "9112 7.1.1: extensions are ignored, whatever they say without a control character; llhttp reads them",
    holds: ({ kind, other, rest }) =>
      kind === "only llhttp refuses" && other.error === "HPE_STRICT" && /\r\n[0-9a-f]+[ \t]*;[^\r\n]*\r\n/i.test(rest),
  },
  {
    why: "9112 2.2, 5.1, 7.1: a bare CR or LF, or a space in a name, is 400; llhttp before version 9 took them",
    holds: (difference) =>
      Number.parseInt(process.versions.llhttp) < 9 &&
      refused("bare CR", "invalid field name", "invalid character in a field value", "invalid chunk",
        "invalid chunk size", "invalid trailer", "folded field line", "invalid version", "invalid method")(difference),
  },
];
