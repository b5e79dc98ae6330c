import { readConfig } from '../src/config.ts';
import { serve } from '../src/serve.ts';

/** The program as it is, with the web build of the folder that is given: for tests that start and end it as a process of its own. */
await serve(readConfig(process.env), { webFolder: process.argv[2]! });
