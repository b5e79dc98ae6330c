import type { FastifyInstance } from 'fastify';
import type { Read } from '../../../platform/database/index.ts';
import { removeFactorPart } from '../factors/factor-pages.ts';
import { dropFactor, mustHaveSecondFactor } from '../factors/second-factors.ts';
import { passwordSetAt } from '../passwords/password-change.ts';
import type { AccountSession } from './account-session.ts';
import { type Factor, type FactorCall, factorOf, factorPath, type FactorTools, list } from './factor-tools.ts';

/** A factor that must stay, with the reason. */
class Kept extends Error {}

/** Why the person can't remove this factor; null if they can. `demanded`: in the words of the registry, of which people; null where none is. */
async function keptBecause(read: Read, factor: Factor, others: readonly Factor[], demanded: string | null): Promise<string | null> {
  const otherPasskeys = others.some(({ kind }) => kind === 'passkey');
  if (factor.kind === 'passkey' && !otherPasskeys && (await passwordSetAt(read, factor.loginId)) === null)
    return 'This passkey is the only way to log in. Set a password or add another passkey first.';
  if (others.some(({ off }) => !off)) return null;
  if (others.length > 0) return 'Your other authenticator apps are switched off, so you couldn’t log in. Remove them first.';
  return demanded && `It’s your last second factor, and ${demanded} to have one. Add another one first.`;
}

/** Registers the removal of a factor, which is refused where the person could not log in without it. */
export function factorRemovalRoutes(
  app: FastifyInstance,
  { db, config, profile, holdsPrivilege, answer, change, originOf, stay, timesOf }: FactorTools,
): void {
  const demandedOf = async ({ login }: AccountSession): Promise<string | null> =>
    (await mustHaveSecondFactor({ config, holdsPrivilege }, login))
      ? `${profile.registryName} requires ${config.requireMfa === 'all' ? 'everyone' : 'everyone who can change registrations'}`
      : null;

  app.get(`${factorPath}/remove`, async (request: FactorCall, reply) => {
    const session = await change(request, reply, request.url);
    if (!session) return reply;
    const { factor, others } = await factorOf(db.read, request, session);
    const refused = await keptBecause(db.read, factor, others, await demandedOf(session));
    const part = removeFactorPart(factor, session.csrf, await timesOf(session), { last: others.length === 0, refused });
    return answer({ request, reply, status: 200, session }, part);
  });

  app.post(`${factorPath}/remove`, async (request: FactorCall, reply) => {
    const session = await change(request, reply, request.url);
    if (!session) return reply;
    const { factor } = await factorOf(db.read, request, session);
    const demanded = await demandedOf(session);
    const line =
      factor.kind === 'passkey'
        ? { action: 'identity.removePasskey', summary: 'Removed a passkey' }
        : { action: 'identity.removeAuthenticator', summary: 'Removed an authenticator app' };
    try {
      await db.change({ ...originOf(request, session), ...line }, async tx => {
        // Checked under the lock, so that the other factor can't be removed meanwhile.
        await tx.selectFrom('login').select('loginId').where('loginId', '=', session.loginId).forUpdate().execute();
        const { others } = await factorOf(tx, request, session);
        const refused = await keptBecause(tx, factor, others, demanded);
        if (refused !== null) throw new Kept(refused);
        await dropFactor(tx, config, session.loginId, factor, stay(request, session));
      });
    } catch (error) {
      if (!(error instanceof Kept)) throw error;
      const part = removeFactorPart(factor, session.csrf, await timesOf(session), { last: true, refused: error.message });
      return answer({ request, reply, status: 409, session }, part);
    }
    return reply.redirect(`${list}?done=removed`, 303);
  });
}
