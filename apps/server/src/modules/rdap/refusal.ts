import { STATUS_CODES } from 'node:http';
import { type AnswerContext, conformanceOf, noticesOf } from './answer.ts';

/** An error answer to a query. */
export class RdapRefusal extends Error {
  override name = 'RdapRefusal';
  readonly status: 400 | 403 | 404 | 405 | 422 | 429 | 501;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: RdapRefusal['status'], message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/** The body of an error: its title is the reason phrase of its status (RFC 9083, section 6; NRO profile 7). */
export function errorBody(context: AnswerContext, status: number, description: string): object {
  return {
    rdapConformance: conformanceOf({}),
    notices: noticesOf(context),
    errorCode: status,
    title: STATUS_CODES[status] ?? 'Error',
    description: [description],
  };
}
