#!/usr/bin/env node
import { run } from './run.ts';

const ended = new AbortController();
process.on('SIGINT', () => (ended.signal.aborted ? process.exit(130) : ended.abort()));
// A reader that has enough, such as head, is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
process.exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  input: process.stdin,
  output: process.stdout,
  errors: process.stderr,
  signal: ended.signal,
});
