import type { Endpoint } from '@portal/contract';
import { effectsOf } from '@portal/contract/effects';
import { SECOND_MS } from '@portal/contract/days';
import type { FastifyRequest } from 'fastify';
import type { Admission } from '../admission.ts';
import type { Admitted } from './caller.ts';
import type { Failure } from '../failure.ts';

/** Longest words of an act in a header, in characters. */
const LONGEST = 400;

/**
 * Returns the refusal of a change until a second factor is given, with the act in words and signed: what the person is asked about comes from here, whichever page hands
 * it on. All other refusals are returned as they are.
 */
export async function withAskedAct(
  refusal: Failure,
  { endpoint, admission, request }: { endpoint: Endpoint; admission: Admission; request: FastifyRequest },
  { caller, account }: Admitted,
): Promise<Failure> {
  const challenge = refusal.headers['www-authenticate'];
  if (challenge === undefined || !caller || effectsOf(endpoint).length === 0) return refusal;
  const { params, query, body } = request;
  const accountName = account?.accountName ?? null;
  const said = await admission.sayAct({ endpoint, account: accountName, input: { params, query, body } });
  const words = inOneLine(said ?? admission.actWords.get(endpoint.id) ?? endpoint.activity ?? endpoint.summary);
  const { loginId, sid } = caller;
  const at = Math.floor(admission.clock().getTime() / SECOND_MS);
  const signed = admission.askedActs.write({ loginId, sid, endpoint: endpoint.id, account: accountName, words, at });
  return refusal.withHeaders({ ...refusal.headers, 'www-authenticate': `${challenge}, asked_act="${signed}"` });
}

/** Returns words without letters that are not seen, or that turn the others around: people and pages sent them. */
const inOneLine = (words: string): string =>
  words
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .slice(0, LONGEST)
    .toWellFormed();
