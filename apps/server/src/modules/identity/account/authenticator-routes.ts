import type { FastifyInstance } from 'fastify';
import { beginAuthenticator, confirmAuthenticator, findEnrolment } from '../factors/authenticator-enrolment.ts';
import { isFactorName } from '../factors/factor-names.ts';
import { newAuthenticatorPart } from '../factors/factor-pages.ts';
import { type FactorTools, list, nothingChanged, wrongName } from './factor-tools.ts';

const wrongCode = 'Wrong code. Enter the one the app shows now. If it keeps failing, check your phone’s clock.';
const enrolmentOver = 'This took longer than ten minutes or was already sent. Scan the new code.';
const appPath = `${list}/authenticator`;

/** Registers `/account/factors/authenticator`: adding an authenticator app. */
export function authenticatorRoutes(
  app: FastifyInstance,
  { db, box, account, forms, clock, answer, change, keep, personOf, tooMany }: FactorTools,
): void {
  app.get(appPath, async (request, reply) => {
    const session = await change(request, reply, appPath);
    if (!session || (await tooMany({ request, reply, session }, 'totp'))) return reply;
    const typed = await account.typedBefore(request, session);
    const enrolment = await beginAuthenticator(db, box, personOf(session));
    const part = newAuthenticatorPart({ csrf: session.csrf, name: typed?.name ?? 'Authenticator app', enrolment });
    return answer({ request, reply, status: 200, session }, { ...part, message: typed && nothingChanged });
  });

  app.post(appPath, async (request, reply) => {
    const session = await change(request, reply, appPath);
    if (!session || (await tooMany({ request, reply, session }, 'totp'))) return reply;
    const name = forms.field(request, 'name', 200);
    const again = async (message: string) => {
      const begun = await findEnrolment(db, box, personOf(session), forms.field(request, 'enrolment', 100));
      const enrolment = begun ?? (await beginAuthenticator(db, box, personOf(session)));
      const part = newAuthenticatorPart({ csrf: session.csrf, name, enrolment });
      return answer({ request, reply, status: 400, session }, { ...part, message: begun ? message : enrolmentOver });
    };
    if (!isFactorName(name)) return again(wrongName);
    const confirmed = await confirmAuthenticator(db, box, {
      loginId: session.loginId,
      enrolment: forms.field(request, 'enrolment', 100),
      code: forms.field(request, 'code', 20),
      now: clock(),
    });
    if (confirmed === 'wrong') return again(wrongCode);
    if (confirmed === 'over') return again(enrolmentOver);
    return keep({ request, reply, session }, confirmed, name);
  });
}
