// Bare Node: answers the first line with a fixed one. What any agent's start and memory are compared with.
process.stdin.once('data', () =>
  process.stdout.write('{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentCapabilities":{}}}\n'),
);
process.stdin.on('end', () => process.exit(0));
