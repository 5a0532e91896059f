import { serverTexts } from '../../models/texts/server.js';
import { problemText } from '../../models/texts.js';

/**
 * Why something about a group was refused: what stands against it only the server knows, and says in a sentence.
 * @param {{kind: string, detail?: string}} error
 */
export function refusalText(error) {
  const told = error.kind === 'forbidden' || error.kind === 'conflict';
  return (told && serverTexts.said(error.detail)) || problemText(error);
}
