import { STATUS_CODES } from 'node:http';
import { apiReferencePath } from '@portal/contract/back-end-paths';
import { registryApiBase } from '@portal/contract/registry-api-paths';
import { openToScripts } from '../../platform/http/registry-api.ts';
import type { Module, ModuleContext } from '../../platform/module.ts';

/** Where each kind of problem is described: the type of a problem is this with its code. */
const problemTypes = `${apiReferencePath}#problem-`;

/** Answers errors of the registry API as problem details (RFC 9457), with the error items of the portal beside them. */
export const problemErrors: NonNullable<Module['errors']> =
  ({ config }: Pick<ModuleContext, 'config'>) =>
  (url, status, message, { request, failure }) => {
    if (!url.startsWith(`${registryApiBase}/`)) return null;
    const { code, problems, current } = failure;
    const { traceId } = request;
    const problem = {
      type: `${config.appUrl}${problemTypes}${code}`,
      title: STATUS_CODES[status] ?? 'Error',
      status,
      detail: message,
      instance: url.split('?', 1)[0],
      code,
      traceId,
      errors: problems.map(each => ({ code, message: each.message, traceId, field: each.field })),
      current,
    };
    return { type: 'application/problem+json; charset=utf-8', headers: openToScripts, body: Buffer.from(JSON.stringify(problem)) };
  };
