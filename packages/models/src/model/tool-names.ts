const MAX_NAME_CHARACTERS = 64;

/** A tool's name as every provider takes it back, whatever the model made up. */
export function safeToolName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, MAX_NAME_CHARACTERS) || 'unnamed_tool';
}

/** An id from anywhere in the alphabet that Anthropic insists on; some servers send `functions.read:0`. */
export function safeCallId(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, '_') || '_';
}
