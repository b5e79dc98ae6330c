import type { FastifyInstance, FastifyReply } from 'fastify';
import { limitBodies } from '../../../platform/http/body-limit.ts';
import type { Config } from '../../../config.ts';
import { beginningOf } from '../../../platform/beginning-of.ts';
import type { Database } from '../../../platform/database/index.ts';
import { type Content, html } from '../../../platform/http/html.ts';
import { publicPage, sendPage } from '../../../platform/http/public-page.ts';
import { addressGroup } from '../../../platform/line-server.ts';
import type { Profile } from '../../../profile.ts';
import { attempt, clearAttempts, waitWords } from '../../identity/index.ts';
import { type CodeResult, judgeCode, takeCode } from './irt-validation.ts';

type Options = { db: Database; config: Config; profile: Profile; styleSheet: string; clock: () => Date };
type Form = { mailbox: string; code: string; duties: boolean };

/**
 * /irt-validation: where the reader of an irt's mailbox enters the mailed code. It needs no login, because the reader is often a customer or a team
 * without one. GET shows the form, because mail scanners open links too; POST takes the code. Only a code for a mailbox that waits for one leaves a
 * line in the activity log, saying whether it was right. Repeated attempts are delayed, right or wrong.
 */
export function irtValidationPage(app: FastifyInstance, { db, config, profile, styleSheet, clock }: Options): void {
  const page = publicPage({ profile, area: 'Mailboxes for abuse reports', styleSheet });
  const answer = (reply: FastifyReply, status: number, title: string, main: Content): FastifyReply =>
    sendPage(reply, status, page(title, main));
  const form = (given: Form, wrong: string | null): Content => html`
<p>IRT objects in the ${profile.source} whois database say where to report network abuse. Enter the code we sent to confirm that this mailbox is read.</p>
${wrong !== null && html`<p class="alert" role="alert">${wrong}</p>`}
<form method="post" action="/irt-validation">
<div class="field"><label for="mailbox">Mailbox</label><input class="inp" id="mailbox" name="mailbox" type="email" autocomplete="off" maxlength="200" required value="${given.mailbox}"></div>
<div class="field"><label for="code">Code</label><input class="inp mono" id="code" name="code" autocomplete="one-time-code" spellcheck="false" maxlength="40" required value="${given.code}"></div>
<p>People who can act on reports must read and answer them.</p>
<label class="check"><input type="checkbox" name="duties" value="yes" required${given.duties && html` checked`}> Reports to this mailbox are read and answered</label>
<button class="btn" type="submit">Validate the mailbox</button></form>`;
  const words: Record<Exclude<CodeResult, 'validated'>, { status: number; text: string }> = {
    wrong: { status: 422, text: 'This isn’t the latest code for this mailbox. Earlier codes no longer work.' },
    wait: { status: 429, text: 'Five wrong codes. Try again in 15 minutes.' },
    // The answer does not reveal whether there is such a mailbox.
    none: { status: 422, text: 'This isn’t the latest code for this mailbox. Earlier codes no longer work.' },
  };
  const title = 'Validate a mailbox';
  const enter = async (given: Form, origin: { traceId: string; address: string }): Promise<CodeResult> => {
    const judged = await judgeCode(db.read, given, clock());
    if (judged === 'none' || judged === 'wait') return judged;
    const summary =
      judged === 'validated' ? 'Validated an IRT mailbox without signing in' : 'Entered a wrong code of an IRT mailbox without signing in';
    try {
      return await db.change({ ...origin, action: 'whois.irts.enterMailedCode', summary }, async change => {
        const result = await takeCode(change, given, { profile, timers: config });
        // Someone else was faster between the look and the lock, so the line would be wrong.
        if (result !== judged) throw new Overtaken(result);
        return result;
      });
    } catch (error) {
      if (error instanceof Overtaken) return error.result;
      throw error;
    }
  };

  void app.register((scope, _options, done) => {
    limitBodies(scope, 4096);
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, parsed) =>
      parsed(null, new URLSearchParams(String(body))),
    );
    scope.get('/irt-validation', (request, reply) => {
      const { mailbox } = request.query as Record<string, unknown>;
      return answer(reply, 200, title, form({ mailbox: typeof mailbox === 'string' ? mailbox : '', code: '', duties: false }, null));
    });
    scope.post('/irt-validation', async (request, reply) => {
      const sent = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
      const value = (name: string): string => beginningOf((sent.get(name) ?? '').replaceAll(/\p{Cc}/gu, '').trim(), 200);
      const given = { mailbox: value('mailbox'), code: value('code'), duties: sent.get('duties') === 'yes' };
      const missing =
        given.mailbox === ''
          ? 'Enter the mailbox we sent the code to.'
          : given.code === ''
            ? 'Enter the code from the e-mail.'
            : given.duties
              ? null
              : 'Confirm that reports to this mailbox are read and answered.';
      if (missing !== null) return answer(reply, 422, title, form(given, missing));
      const key = `codes of irt mailboxes from ${addressGroup(request.address)}`;
      const { waitSeconds } = await attempt(db, key, clock());
      if (waitSeconds > 0) {
        void reply.header('retry-after', String(waitSeconds));
        return answer(reply, 429, title, form({ ...given, code: '' }, waitWords(waitSeconds)));
      }
      const result = await enter(given, { traceId: request.traceId, address: request.address });
      if (result !== 'validated') return answer(reply, words[result].status, title, form({ ...given, code: '' }, words[result].text));
      await clearAttempts(db, [key]);
      return answer(
        reply,
        200,
        'The mailbox is validated',
        html`<p>Thank you. ${given.mailbox} is marked as validated in whois. Any restriction is lifted.</p>`,
      );
    });
    done();
  });
}

/** Rolls back the whole change, its log line included. */
class Overtaken extends Error {
  readonly result: CodeResult;
  constructor(result: CodeResult) {
    super(result);
    // A right code sent twice was accepted by the first call; a wrong one was not counted.
    this.result = result === 'validated' ? 'wrong' : result;
  }
}
