import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { DAY_MS } from '@portal/contract/days';

type Session = {
  id: string;
  client_reference_id: string;
  amount_total: number;
  currency: string;
  url: string;
  success_url?: string;
  status?: 'open' | 'complete' | 'expired';
  expires_at?: number;
};

/** The page on which a person pays; its link is the way back to the merchant. */
const payPage = ({ amount_total: cents, currency, success_url: back }: Session): string =>
  `<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Pay</title><h1>Card</h1><p>${currency.toUpperCase()} ${cents / 100}</p><a href="${back ?? ''}">Pay</a></html>`;

/**
 * The part of Stripe's API that hosted checkouts need: POST /v1/checkout/sessions with its idempotency keys, POST …/expire, the page that a session leads to, and events signed as its documentation says
 * (Stripe-Signature: t=…,v1=HMAC-SHA256 of `t.body`). Requests with another key get 401.
 */
export async function stripeStandIn({ key, webhookSecret, port = 0 }: { key: string; webhookSecret: string; port?: number }) {
  const sessions = new Map<string, Session>();
  const byKey = new Map<string, string>();
  const server = http.createServer((request, response) => {
    void (async () => {
      const answer = (status: number, body: unknown) => {
        response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_1' }).end(JSON.stringify(body));
      };
      const form = new URLSearchParams(await text(request));
      const opened = request.method === 'GET' ? sessions.get(/^\/pay\/(\w+)$/.exec(request.url ?? '')?.[1] ?? '') : undefined;
      if (opened?.status === 'open') return void response.writeHead(200, { 'content-type': 'text/html' }).end(payPage(opened));
      if (request.headers.authorization !== `Bearer ${key}`)
        return answer(401, { error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } });
      const [, named, act] = /^\/v1\/checkout\/sessions\/(\w+)(\/expire)?$/.exec(request.url ?? '') ?? [];
      const session = sessions.get(named ?? '');
      if (session && request.method === 'GET') return answer(200, { object: 'checkout.session', ...session });
      if (session && act) {
        if (session.status !== 'open')
          return answer(400, {
            error: {
              type: 'invalid_request_error',
              message: `Only Checkout Sessions with a status in ["open"] can be expired. This one is ${session.status}.`,
            },
          });
        session.status = 'expired';
        return answer(200, { object: 'checkout.session', ...session });
      }
      if (request.method !== 'POST' || request.url !== '/v1/checkout/sessions')
        return answer(404, { error: { type: 'invalid_request_error', message: 'Unrecognized request URL' } });
      const idempotency = String(request.headers['idempotency-key'] ?? randomUUID());
      const known = byKey.get(idempotency);
      if (known) return answer(200, { object: 'checkout.session', ...sessions.get(known)! });
      const id = `cs_test_${randomUUID().replaceAll('-', '')}`;
      const begun: Session = {
        id,
        status: 'open',
        // The longest and usual time there.
        expires_at: Math.floor((Date.now() + DAY_MS) / 1000),
        client_reference_id: form.get('client_reference_id') ?? '',
        amount_total: Number(form.get('line_items[0][price_data][unit_amount]')),
        currency: form.get('line_items[0][price_data][currency]') ?? '',
        success_url: form.get('success_url') ?? '',
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/pay/${id}`,
      };
      sessions.set(id, begun);
      byKey.set(idempotency, id);
      answer(200, { object: 'checkout.session', ...begun });
    })();
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sessions,
    /** An event about a session, as it is sent: its body and its signature at an instant. */
    event: (
      type: string,
      session: Session,
      {
        at = new Date(),
        secret = webhookSecret,
        ...more
      }: { at?: Date; secret?: string; payment_status?: string; payment_intent?: string } = {},
    ) => {
      const object = {
        object: 'checkout.session',
        payment_status: 'paid',
        payment_intent: `pi_${session.id.slice(8)}`,
        ...session,
        ...more,
      };
      const body = JSON.stringify({
        id: `evt_${randomUUID()}`,
        object: 'event',
        type,
        created: Math.floor(at.getTime() / 1000),
        data: { object },
      });
      const seconds = Math.floor(at.getTime() / 1000);
      return { body, signature: `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}` };
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
