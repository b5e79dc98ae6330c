import { RequestPage } from './RequestPage.tsx';

/** /resources/ipv4_pre-approval_form: how much IPv4 the account may receive by transfer. */
export default function PreApprovalPage() {
  return (
    <RequestPage
      kind="pre-approval"
      title="IPv4 pre-approval"
      sub="Show your need once, then receive transfers up to that size for 24 months."
    />
  );
}
