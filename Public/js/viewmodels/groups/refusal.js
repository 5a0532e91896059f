import { problemText } from '../../models/texts.js';

/**
 * Why something about a group was refused: what stands against it only the server knows, and says in a sentence.
 * @param {{kind: string, detail?: string}} error
 */
export function refusalText(error) {
  const told = error.kind === 'forbidden' || error.kind === 'conflict';
  return told && error.detail ? error.detail : problemText(error);
}
