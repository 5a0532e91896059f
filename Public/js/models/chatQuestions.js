/** The confirmations before a chat is cleared, deleted or left. */
import { listTexts } from './texts/list.js';

/**
 * @param {object} room as the server tells of it
 * @param {string} name `clear`, `delete` or `leave`; other actions need no confirmation
 * @param {string} who the name of the peer, or of the group
 * @returns {{title: string, hints: string[], action: string}|null}
 */
export function chatQuestion(room, name, who) {
  const { questions } = listTexts;
  const isGroup = room.kind === 'group';
  if (name === 'clear') {
    const title = isGroup ? questions.clearGroup(who) : questions.clear(who);
    const others = isGroup ? questions.membersKeep : questions.peerKeeps(who);
    return { title, hints: [questions.clearHint, others], action: questions.clearAction };
  }
  if (name === 'delete') {
    const hints = [questions.deleteHint, questions.deletePeer(who)];
    return { title: questions.delete(who), hints, action: questions.deleteAction };
  }
  if (name !== 'leave') return null;
  const hints = [questions.leaveHint, room.public ? questions.leavePublic : questions.leavePrivate];
  if (room.members_count < 2) hints[1] = questions.leaveLast;
  else if (room.role === 'owner') hints.push(questions.leaveOwner);
  return { title: questions.leave(who), hints, action: questions.leaveAction };
}
