import { registrationReads, RegistrationsPage } from './RegistrationsPage.tsx';

export const reads = registrationReads('ipv6');

/** /resources/IPv6ShowList */
export default function Ipv6RegistrationsPage() {
  return <RegistrationsPage kind="ipv6" />;
}
