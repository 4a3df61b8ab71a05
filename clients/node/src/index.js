/**
 * Client of SmartBrain, the local-first memory runtime for AI agents.
 *
 *     const brain = new Client('127.0.0.1:7700', { memory_id: 'ann' });
 *     await brain.commit('chat-1', [{ role: 'user', content: 'I moved to Lisbon.' }]);
 *     const { context } = await brain.compose('chat-1', 'Where do I live?');
 *     const messages = renderMessages(context);
 */

export { readChat } from './chat.js';
export { Client } from './client.js';
export {
  AlreadyExists,
  DataLoss,
  DeadlineExceeded,
  FailedPrecondition,
  Internal,
  InvalidArgument,
  NotFound,
  PermissionDenied,
  ResourceExhausted,
  SmartBrainError,
  Unauthenticated,
  Unavailable,
  Unimplemented,
} from './errors.js';
export { render, renderMessages } from './render.js';
