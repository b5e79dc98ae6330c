import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../../config.ts';
import { beginningOf } from '../../../platform/beginning-of.ts';
import { refuse } from '../../../platform/failure.ts';
import type { PageContext } from './frame.ts';
import { derivedKeys } from '../../../platform/secret-box.ts';

/** Shared by the pages of this module: forms that only their own page can send, and answers in HTML. */
export type Forms = {
  /** The token of a form, bound to what the browser holds: an interaction, a session, a link. */
  tokenOf(bound: string): string;
  /** Returns whether a posted form carries its token. */
  carriesToken(request: FastifyRequest, bound: string): boolean;
  /** A posted field as text, truncated to this length without splitting a character; empty if missing. */
  field(request: FastifyRequest, name: string, longest?: number): string;
  context(request: FastifyRequest): PageContext;
  answer(reply: FastifyReply, status: number, markup: string): FastifyReply;
};

export function openForms(config: Config): Forms {
  const key = derivedKeys(config, 'form token')[0];
  const tokenOf = (bound: string): string => createHmac('sha256', key).update(bound).digest('base64url');
  const field = (request: FastifyRequest, name: string, longest = 1000): string =>
    beginningOf(String((request.body as Record<string, string> | undefined)?.[name] ?? ''), longest);
  return {
    tokenOf,
    field,
    carriesToken: (request, bound) => {
      const [expected, given] = [Buffer.from(tokenOf(bound)), Buffer.from(field(request, 'csrf'))];
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
    context: request => ({ cookie: request.headers.cookie, traceId: request.traceId, savesData: request.headers['save-data'] === 'on' }),
    answer: (reply, status, markup) => reply.code(status).type('text/html; charset=utf-8').send(markup),
  };
}

/**
 * Protects the forms of people without a session, to which no token could be bound: browsers send the origin of a request.
 * @throws Failure INVALID_REQUEST if it is not from a page of ours. Programs send no origin, and can't be made to act for others.
 */
export function fromOurPages({ headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw refuse('INVALID_REQUEST', { detail: 'the form was not sent by a page of this site' });
}
