// A process of its own, whose memory is that of a publisher: refreshes what ends soon in the database of DATABASE_URL and prints its figures.
import { readConfig } from '../../../apps/server/src/config.ts';
import { openContext } from '../../../apps/server/src/context.ts';
import { publishAll } from '../../../apps/server/src/modules/rpki/index.ts';
import { openDatabase } from '../../../apps/server/src/platform/database/index.ts';
import { createLog } from '../../../apps/server/src/platform/log.ts';
import { readProfile } from '../../../apps/server/src/profile.ts';
import { memoryOf } from './program.ts';

const config = readConfig(process.env);
const db = await openDatabase({ url: process.env.DATABASE_URL!, pools: { reader: 4, writer: 4 } });
const context = openContext({ db, config, profile: readProfile(''), log: createLog('silent'), release: 'bench' });
const [began, before] = [performance.now(), process.cpuUsage()];
const publications = await publishAll(context);
const { user, system } = process.cpuUsage(before);
console.log(
  JSON.stringify({
    files: publications.reduce((sum, { files }) => sum + files.length, 0),
    wall: (performance.now() - began) / 1000,
    cpu: (user + system) / 1e6,
    memory: memoryOf(process.pid, 'VmHWM') ?? 0,
  }),
);
await context.close();
await db.close();
