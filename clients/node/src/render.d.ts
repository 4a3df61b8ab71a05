import type { ContextPackage, Given } from './contracts.js';

/** One chat message, as OpenAI-compatible endpoints take it. */
export interface ChatMessage {
  role: string;
  content: string;
}

/**
 * The whole package as one prompt text, slots in order.
 *
 * details: of each piece of evidence also its address, mode and score, for people. They say little to a model and are
 * not in the package's token budget.
 */
export function render(context: Given<ContextPackage>, options?: { details?: boolean }): string;

/**
 * The package as chat messages: pinned blocks and rules as the leading system message, summary and evidence as user
 * messages, the recent turns, and last the user's message, word for word.
 *
 * developer_role: the model has a role of that name, and the rules come in a message of it.
 */
export function renderMessages(context: Given<ContextPackage>, options?: { developer_role?: boolean }): ChatMessage[];
