import { registrationReads, RegistrationsPage } from './RegistrationsPage.tsx';

export const reads = registrationReads('ipv4');

/** /resources/IPv4ShowList */
export default function Ipv4RegistrationsPage() {
  return <RegistrationsPage kind="ipv4" />;
}
