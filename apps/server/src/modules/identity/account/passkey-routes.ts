import type { FastifyInstance } from 'fastify';
import { deviceOf } from '../logins/devices.ts';
import { isFactorName } from '../factors/factor-names.ts';
import { newPasskeyPart } from '../factors/factor-pages.ts';
import { passkeyCreation, passkeyNameOf, verifyNewPasskey } from '../factors/passkeys.ts';
import type { AccountSession } from './account-session.ts';
import { type FactorTools, list, nothingChanged, wrongName } from './factor-tools.ts';

const passkeyPath = `${list}/passkey`;
const boundTo = ({ sid }: AccountSession): string => `account ${sid}`;

/** Registers `/account/factors/passkey`: adding a passkey. */
export function passkeyRoutes(
  app: FastifyInstance,
  { db, config, account, forms, answer, agentOf, change, keep, personOf, tooMany }: FactorTools,
): void {
  app.get(passkeyPath, async (request, reply) => {
    const session = await change(request, reply, passkeyPath);
    if (!session || (await tooMany({ request, reply, session }, 'passkey'))) return reply;
    const typed = await account.typedBefore(request, session);
    const part = newPasskeyPart({ csrf: session.csrf, name: typed?.name ?? '' });
    return answer({ request, reply, status: 200, session }, { ...part, message: typed && nothingChanged });
  });

  app.post(`${passkeyPath}/options`, async (request, reply) => {
    const session = await change(request, reply, passkeyPath);
    return session ? reply.send(await passkeyCreation(db, config, personOf(session), boundTo(session))) : reply;
  });

  app.post(passkeyPath, async (request, reply) => {
    const session = await change(request, reply, passkeyPath);
    if (!session || (await tooMany({ request, reply, session }, 'passkey'))) return reply;
    const typed = forms.field(request, 'name', 200).trim();
    const again = (message: string) =>
      answer({ request, reply, status: 400, session }, { ...newPasskeyPart({ csrf: session.csrf, name: typed }), message });
    if (typed !== '' && !isFactorName(typed)) return again(wrongName);
    const proof = { loginId: session.loginId, bound: boundTo(session), answer: forms.field(request, 'answer', 20_000) };
    const passkey = await verifyNewPasskey(db, config, proof);
    if ('refused' in passkey) return again(passkey.refused);
    const agent = agentOf(request);
    return keep({ request, reply, session }, passkey, typed || passkeyNameOf(passkey, agent ? deviceOf(agent) : null));
  });
}
