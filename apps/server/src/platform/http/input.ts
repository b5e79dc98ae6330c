import { Readable } from 'node:stream';
import { type Endpoint, isUpload, type ReceivedFile, type Upload } from '@portal/contract';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { Admission } from '../admission.ts';
import { type Problem, refuse, refuseFields } from '../failure.ts';
import { type HeldText, withTexts } from '../held-text.ts';
import type { Caller } from './caller.ts';
import { unknownFields } from './unknown-fields.ts';
import { wordsOfValue } from './value-words.ts';

/**
 * Returns the input of a call, parsed by its endpoint's schemas; a file is on disk by then. A write accepts only the fields and parameters it
 * declares: otherwise a misspelt one would be ignored. @throws Failure INVALID_REQUEST, and those of `receiveFile`
 */
export async function inputOf(
  { method, query, body }: Endpoint,
  caller: Caller | undefined,
  request: FastifyRequest,
  admission: Admission,
): Promise<{ params: unknown; query: unknown; body: unknown }> {
  const isWrite = method !== 'GET';
  return {
    params: request.params,
    query: parse(query, request.query, { where: 'query', isStrict: isWrite }),
    body: isUpload(body) ? await receive(body, caller, request, admission) : parseBody(body, request.body, isWrite),
  };
}

/** The parsed body. A long text is judged where it is read, and stands for itself here. @throws Failure as `parse` */
function parseBody(schema: z.core.$ZodType | undefined, given: unknown, isStrict: boolean): unknown {
  const texts: Record<string, HeldText> = {};
  const short = withTexts(given, (text, name) => {
    texts[name] = text;
    return '…';
  });
  const parsed = parse(schema, short, { where: 'body', isStrict });
  return short === given ? parsed : { ...(parsed as object), ...texts };
}

/** Maximum number of problems listed, so that no answer is much larger than its request. */
const MAX_PROBLEMS = 100;

/** The same of unknown fields: to find what each may mean takes its time. */
const MAX_UNKNOWN = 40;

/** The parsed input. @throws Failure INVALID_REQUEST with an error for each mistake, at its field; unknown fields first, for they explain what is missing */
function parse(schema: z.core.$ZodType | undefined, given: unknown, { where, isStrict }: { where: string; isStrict: boolean }): unknown {
  const problems: Required<Problem>[] = isStrict
    ? unknownFields(schema, given, { most: MAX_UNKNOWN, noun: where === 'query' ? 'parameter' : 'field' })
    : [];
  const result = schema && z.safeParse(schema, given ?? {}, { error: wordsOfValue });
  for (const { path, message } of result?.error?.issues ?? []) problems.push({ field: path.join('.') || where, message });
  if (problems.length > 0) throw refuseFields(problems.slice(0, MAX_PROBLEMS));
  return result?.data;
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
