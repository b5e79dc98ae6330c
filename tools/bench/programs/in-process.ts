import { openApp } from '../../../apps/server/src/app.ts';
import { openContext } from '../../../apps/server/src/context.ts';
import { createLog } from '../../../apps/server/src/platform/log.ts';
import { readProfile } from '../../../apps/server/src/profile.ts';
import { address } from './program.ts';
import { type PortalData, type Statement, statementsOf } from '../data/portal-data.ts';

/** The statements a call makes once the server is warm, found by answering it in this process. */
export async function statementsOfCall(
  { db, config }: Pick<PortalData, 'db' | 'config'>,
  url: string,
  token: string,
): Promise<Statement[]> {
  const app = await openApp(openContext({ db, config, profile: readProfile(''), log: createLog('silent'), release: 'bench' }), {
    webFolder: null,
  });
  try {
    const answer = async (): Promise<void> => {
      const { statusCode, body } = await app.http.inject({
        url,
        headers: { host: new URL(address).host, authorization: `Bearer ${token}` },
      });
      if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}: ${body}`);
    };
    await answer();
    return await statementsOf(answer);
  } finally {
    await app.close();
  }
}
