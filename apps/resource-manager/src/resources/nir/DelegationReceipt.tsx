import { useAccount, useAnswer } from '@portal/app-kit';
import { whois } from '@portal/contract/whois/whois';
import { PublicationReceipt } from '../../shell/PublicationReceipt.tsx';

/** The publication of the whois object that a delegation has written. */
export function DelegationReceipt({ objectClass, objectKey }: { objectClass: 'inetnum' | 'inet6num'; objectKey: string }) {
  const { accountName: account } = useAccount();
  const { key, version } = useAnswer(whois.getObject, { account, query: { class: objectClass, key: objectKey } });
  return <PublicationReceipt objectClass={objectClass} objectKey={key} version={version} />;
}
