import { useAddress } from '@portal/app-kit';
import type { AssignmentPreview, CustomerAssignment } from '@portal/contract/customers/customers';
import { recordAddress } from '@portal/contract/records/record-address';
import { Button, ButtonRow, KeyValueList, LinkButton, Mono, Panel, ResourceName, Sheet, Stack, Receipt } from '@portal/ui';
import { PublicationReceipt } from '../../shell/PublicationReceipt.tsx';
import { amountWords } from '../../shell/amounts.ts';
import styles from './AssignmentReview.module.css';
import { customersPath } from './register-address.ts';

type Refusal = Parameters<typeof Button>[0]['refusal'];

/** The result of a dry run of the registration; empty before it. */
export function AssignmentReview({
  preview,
  visibility,
  busy,
  refusal,
  onRegister,
}: {
  preview: AssignmentPreview | null;
  visibility: 'public' | 'private';
  busy: boolean;
  refusal: Refusal;
  onRegister: () => void;
}) {
  if (!preview)
    return (
      <Panel title="Review">
        <p className="small muted">Press Review to see exactly what will be registered. Nothing is written before you confirm it.</p>
      </Panel>
    );
  const { resource, size, type, netname, delegation, around, whois } = preview;
  const kind = resource.includes(':') ? 'ipv6' : 'ipv4';
  return (
    <Panel
      title="Review"
      pending
      footer={
        <Button variant="commit" busy={busy} refusal={refusal ?? null} onClick={onRegister}>
          Register {resource}
        </Button>
      }
    >
      <output className="vh">Review of {resource} is ready</output>
      <Stack gap={12}>
        <KeyValueList
          items={[
            { key: 'Range', value: <Mono nowrap={false}>{resource}</Mono> },
            { key: kind === 'ipv4' ? 'Addresses' : 'Size', value: amountWords(kind, BigInt(size)) },
            { key: 'Netname', value: <Mono>{netname}</Mono> },
            { key: 'Kind', value: type === 'allocated' ? 'Sub-allocation' : 'Assignment' },
            { key: 'Delegated under', value: <Mono nowrap={false}>{delegation}</Mono> },
            ...(around ? [{ key: 'Inside', value: <Mono nowrap={false}>{around}</Mono> }] : []),
            { key: 'Visibility', value: visibility === 'public' ? 'Public, in whois' : 'Private, not in whois' },
          ]}
        />
        {whois && (
          <>
            <h3>{whois.before === null ? 'New whois object' : 'Whois object after the change'}</h3>
            <pre className={styles.object}>{whois.after}</pre>
            {whois.before !== null && (
              <>
                <h3>Before</h3>
                <pre className={styles.object}>{whois.before}</pre>
              </>
            )}
          </>
        )}
      </Stack>
    </Panel>
  );
}

/** The receipt of a registered assignment: where it is, and the next steps. */
export function Registered({ assignment }: { assignment: CustomerAssignment }) {
  const address = useAddress();
  const { resource, netname, kind, whois } = assignment;
  return (
    <Sheet title={<ResourceName kind={kind} text={resource} strong />} meta={<output>{netname} is registered</output>}>
      <Stack gap={16}>
        <Receipt
          label="Register receipt"
          lines={[
            { place: 'Register', what: netname, state: 'done', time: 'done' },
            ...(whois ? [] : [{ place: 'Whois', what: 'Private, not shown', state: 'done' as const, time: '' }]),
          ]}
        />
        {whois && <PublicationReceipt objectClass={whois.class as 'inetnum' | 'inet6num'} objectKey={whois.key} version={whois.version} />}
        <ButtonRow>
          <LinkButton variant="primary" href={recordAddress(resource)}>
            Show {resource}
          </LinkButton>
          <Button
            onClick={() => address.go(`${customersPath}?${new URLSearchParams({ ...(kind === 'ipv6' && { view: 'ipv6' }), q: resource })}`)}
          >
            All assignments
          </Button>
        </ButtonRow>
      </Stack>
    </Sheet>
  );
}
