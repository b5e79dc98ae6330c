import { demoRegistry } from './programs.ts';

// Makes the registry that the stories start on, before they begin (tools/test.ts).
await demoRegistry();
