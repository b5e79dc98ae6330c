import type { Config } from '../src/config.ts';
import { openContext } from '../src/context.ts';
import type { Database } from '../src/platform/database/index.ts';
import { createLog } from '../src/platform/log.ts';
import type { AnyTaskType, ModuleContext } from '../src/platform/module.ts';
import type { StandIn } from '../src/platform/outside-systems.ts';
import { readProfile } from '../src/profile.ts';

/** The context of modules in tests: the profile of the demo registry, a silent log, and stand-ins for outside systems. */
export const testContext = (
  { db, config, clock }: { db: Database; config: Config; clock?: () => Date },
  ...standIns: StandIn[]
): ModuleContext =>
  openContext(
    {
      db,
      config,
      ...(clock && { clock }),
      // A profile of its own: what one test changes in it would hold for the next files of the process.
      profile: structuredClone(readProfile(config.profile, { isDemo: config.demoMode })),
      release: 'test',
      log: createLog('silent'),
    },
    standIns,
  );

/** Every kind of background work. */
export const tasksOf = ({ modules }: ModuleContext): AnyTaskType[] => modules.flatMap(({ tasks }) => tasks ?? []);

/** SECRET_KEY of tests that have no settings. */
export const testSecrets = { secretKey: 'A secret of tests', secretKeyOld: '' };
