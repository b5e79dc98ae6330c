import { api } from '@portal/contract/api';
import { newKeys, selfHostedAuthority } from '../../../packages/rpki-objects/test/self-hosted-authority.ts';
import { publishAll } from '../src/modules/rpki/repository/publisher.ts';
import type { TestPortal } from './portal.ts';

const account = 'EXAMPLE-AU';
export const provisioningType = 'application/rpki-updown';
export const publicationType = 'application/rpki-publication';

/** Returns a connected, certified authority of EXAMPLE-AU that may publish here. The test is the only publisher. */
export async function connectedAuthority(portal: TestPortal) {
  const child = selfHostedAuthority('Example-AU', newKeys(), portal.context.clock);
  const corin = await portal.as('corin');
  const send = (type: string, url: string, payload: Buffer) =>
    portal.http.inject({ method: 'POST', url, headers: { 'content-type': type, host: 'portal.test' }, payload });
  /** Starts sending a message, and resolves once it waits for the publisher. */
  const arrive = async (type: string, url: string, payload: Buffer) => {
    const { promise: waits, resolve } = Promise.withResolvers<void>();
    const stop = await portal.db.listen('rpki', () => resolve());
    const answer = send(type, url, payload);
    const refused = answer.then(({ body }) => {
      throw new Error(`It was answered immediately: ${body}`);
    });
    try {
      await Promise.race([waits, refused]);
    } finally {
      await stop();
    }
    return { answer };
  };
  /** Sends a message, and publishes what it asks for. */
  const post = async (type: string, url: string, payload: Buffer): Promise<Buffer> => {
    const { answer } = await arrive(type, url, payload);
    await publishAll(portal.context);
    return (await answer).rawPayload;
  };

  await corin(api.rpkiSelfHosted.connect, { account, body: { childRequest: child.childRequest } });
  await corin(api.rpkiSelfHosted.publishHere, { account, body: { publisherRequest: child.publisherRequest } });
  await publishAll(portal.context);
  const { parentResponse, publication } = (await corin(api.rpkiSelfHosted.getSelfHosted, { account })).data!.authority!;
  const repositoryResponse = publication!.repositoryResponse!;
  const base = child.baseOf(repositoryResponse);
  const service = child.serviceOf(repositoryResponse);
  const provisioning = child.serviceOf(parentResponse!);
  child.takeCertificate(child.read(await post(provisioningType, provisioning, child.message(child.issue(base))), parentResponse!));
  return {
    child,
    base,
    service,
    provisioning,
    send,
    arrive,
    /** Sends a query of the publication protocol, and returns the answer. */
    publish: async (query: string): Promise<string> =>
      child.read(await post(publicationType, service, child.message(query)), repositoryResponse),
    read: (answer: Buffer): string => child.read(answer, repositoryResponse),
  };
}
