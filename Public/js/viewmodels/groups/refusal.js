import { serverTexts } from '../../models/texts/server.js';
import { problemText } from '../../models/format.js';

/**
 * The server's reason for refusing a change of a group, which only it knows.
 * @param {{kind: string, detail?: string}} error
 */
export function refusalText(error) {
  const told = error.kind === 'forbidden' || error.kind === 'conflict';
  return (told && serverTexts.said(error.detail)) || problemText(error);
}
