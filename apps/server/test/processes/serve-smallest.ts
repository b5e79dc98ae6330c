import { readConfig } from '../../src/config.ts';
import { serve } from '../../src/serve.ts';

/** The real program with the web build of a given folder: for tests that start and end it as a separate process. */
await serve(readConfig(process.env), { webFolder: process.argv[2]! });
