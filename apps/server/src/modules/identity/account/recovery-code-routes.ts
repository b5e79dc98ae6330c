import type { FastifyInstance, FastifyRequest } from 'fastify';
import { newRecoveryCodesPart, recoveryCodesPart, recoveryCodesText, sendRecoveryCodes } from '../factors/factor-pages.ts';
import { areRecoveryCodes, recoveryCodesLeft } from '../factors/recovery-codes.ts';
import { replaceRecoveryCodes } from '../factors/second-factors.ts';
import type { AccountSession } from './account-session.ts';
import { doneWords, factorsOf, type FactorTools, list } from './factor-tools.ts';

const codesPath = `${list}/recovery-codes`;

/** Registers `/account/factors/recovery-codes`: making new ones, and saving them. */
export function recoveryCodeRoutes(
  app: FastifyInstance,
  { db, config, account, forms, clock, productNow, answer, change, originOf, stay }: FactorTools,
): void {
  app.get(codesPath, async (request, reply) => {
    const session = await change(request, reply, codesPath, []);
    if (!session) return reply;
    if ((await factorsOf(db.read, session.loginId)).length === 0) return reply.redirect(list, 303);
    const left = await recoveryCodesLeft(db.read, session.loginId);
    return answer({ request, reply, status: 200, session }, newRecoveryCodesPart(session.csrf, left));
  });

  app.post(codesPath, async (request, reply) => {
    const session = await change(request, reply, codesPath, []);
    if (!session) return reply;
    if ((await factorsOf(db.read, session.loginId)).length === 0) return reply.redirect(list, 303);
    const line = { action: 'identity.replaceRecoveryCodes', summary: 'Created new recovery codes' };
    const codes = await db.change({ ...originOf(request, session), ...line }, tx =>
      replaceRecoveryCodes(tx, config, session.loginId, stay(request, session)),
    );
    return answer(
      { request, reply, status: 200, session },
      {
        ...recoveryCodesPart({ codes, csrf: session.csrf, owner: session.login.email }),
        done: doneWords.codes,
      },
    );
  });

  /** The codes posted by their page; null if they don't belong to this person. */
  const shownCodes = async (request: FastifyRequest, { loginId }: AccountSession): Promise<string[] | null> => {
    const codes = forms.field(request, 'codes').split(' ');
    return (await areRecoveryCodes(db.read, loginId, codes)) ? codes : null;
  };

  app.post(`${codesPath}/download`, async (request, reply) => {
    const session = await account.requireSession(request, reply, { fresh: false, back: list });
    if (!session) return reply;
    const codes = await shownCodes(request, session);
    if (!codes) return reply.redirect(list, 303);
    const text = recoveryCodesText(codes, { product: productNow(), home: `${config.appUrl}/`, email: session.login.email, at: clock() });
    return sendRecoveryCodes(reply, text);
  });

  app.post(`${codesPath}/saved`, async (request, reply) => {
    const session = await account.requireSession(request, reply, { fresh: false, back: list });
    if (!session) return reply;
    const codes = forms.field(request, 'saved') === 'yes' ? null : await shownCodes(request, session);
    if (!codes) return reply.redirect(list, 303);
    const message = 'Save the codes, then select the checkbox.';
    return answer(
      { request, reply, status: 400, session },
      {
        ...recoveryCodesPart({ codes, csrf: session.csrf, owner: session.login.email }),
        message,
      },
    );
  });
}
