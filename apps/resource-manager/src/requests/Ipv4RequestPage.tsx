import { RequestPage } from './RequestPage.tsx';

/** /resources/ipv4_request_form: IPv4 addresses from the registry’s pool. */
export default function Ipv4RequestPage() {
  return (
    <RequestPage kind="ipv4" title="Request IPv4" sub="Addresses from the registry’s last pool, with what policy allows your account." />
  );
}
