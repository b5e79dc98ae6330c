import { Readable } from 'node:stream';
import { type Endpoint, isUpload, type ReceivedFile, type Upload } from '@portal/contract';
import type { FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';
import type { Admission } from '../admission.ts';
import { refuse } from '../failure.ts';
import { HeldBody } from '../held-body.ts';
import { type HeldText, withTexts } from '../held-text.ts';
import type { Admitted, Caller } from './caller.ts';
import { heldInput } from './held-input.ts';
import { parsedInput } from './parsed-input.ts';

/**
 * Returns the input of a call, parsed by its endpoint's schemas; a file is on disk by then. Only the fields and parameters it
 * declares are accepted. @throws Failure INVALID_REQUEST, and those of `receiveFile` and `heldInput`
 */
export async function inputOf(
  { id, query, body }: Endpoint,
  who: Admitted,
  request: FastifyRequest,
  admission: Admission,
): Promise<{ params: unknown; query: unknown; body: unknown }> {
  return {
    params: request.params,
    query: parsedInput(query, request.query, 'query'),
    body: isUpload(body) ? await receive(body, who.caller, request, admission) : await bodyOf({ id, body }, request.body, who),
  };
}

/** The parsed body. A long text is judged where it is read, and stands for itself here. @throws Failure as `parsedInput` and `heldInput` */
function bodyOf({ id, body }: { id: string; body: z.core.$ZodType | undefined }, given: unknown, who: Admitted): unknown {
  if (given instanceof HeldBody) return heldInput(id, given, who);
  const texts: Record<string, HeldText> = {};
  const short = withTexts(given, (text, name) => {
    texts[name] = text;
    return '…';
  });
  const parsed = parsedInput(body, short, 'body');
  return short === given ? parsed : { ...(parsed as object), ...texts };
}

/** A file as the body of a call. It is on disk before the change begins, which writes what the registry knows of it. */
async function receive(takes: Upload, caller: Caller | undefined, request: FastifyRequest, admission: Admission): Promise<ReceivedFile> {
  if (!caller) throw refuse('NOT_SIGNED_IN');
  const { 'content-type': contentType, 'content-length': length } = request.headers;
  if (!(request.body instanceof Readable) || !/^application\/octet-stream\b/i.test(contentType ?? ''))
    throw refuse('INVALID_REQUEST', { detail: 'the body must be the file itself (content-type application/octet-stream)' });
  const { fileName } = request.query as { fileName?: string };
  return admission.receiveFile(caller, {
    name: fileName ?? 'file',
    announced: length === undefined ? null : Number(length),
    chunks: request.body as AsyncIterable<Uint8Array>,
    takes,
  });
}
