import type { RpkiStatus } from '@portal/contract/rpki/rpki';
import { containsResource, parseResource, resourceSetOf } from '@portal/number-resources';
import { Banner, DateText, Sheet, Stack, StateMark } from '@portal/ui';
import { ValidityBar } from './ValidityBar.tsx';
import { certificateRenewalMs } from './life.ts';
import { ResourceList } from './ResourceList.tsx';

/** Held resources beside those on the certificate, and a drawing of the certificate's lifetime. */
export function CertifiedResources({ status }: { status: RpkiStatus }) {
  const { held, certified, missing, mode, keys, suspension } = status;
  const certificate = keys.find(({ state }) => state === 'current')?.certificate;
  const covered = resourceSetOf(certified.map(parseResource));
  const stateOf = (resource: string): ['valid' | 'pending' | 'warning', string] => {
    if (containsResource(covered, parseResource(resource))) return ['valid', 'Certified'];
    return mode === 'suspended' ? ['warning', 'Not published'] : ['pending', 'In the next publication'];
  };
  return (
    <Sheet
      title="Certificate"
      meta={
        mode === 'suspended' ? (
          <StateMark state="warning">Not published</StateMark>
        ) : certificate ? (
          <StateMark state="valid">Published</StateMark>
        ) : (
          <StateMark state="pending">Being made</StateMark>
        )
      }
    >
      <Stack gap={16}>
        {mode === 'hosted' && suspension && (
          <Banner
            kind="warning"
            title={
              suspension.withdrawsOn === null ? (
                'The account is suspended.'
              ) : (
                <>
                  All of this is withdrawn on <DateText value={suspension.withdrawsOn} shape="date" />.
                </>
              )
            }
          >
            {suspension.withdrawsOn === null
              ? 'Its certificate and ROAs stay published and can’t be changed until the account is open again.'
              : 'The account is suspended. Until then its certificate and ROAs stay published and can’t be changed. If it is open again before, nothing is lost; if later, everything comes back.'}
          </Banner>
        )}
        {mode === 'suspended' && (
          <Banner kind="warning" title="Nothing of this account is published.">
            Validators don’t find its certificate or ROAs while the account is suspended or holds nothing. Everything is kept and comes back
            automatically.
          </Banner>
        )}
        {missing.length > 0 && mode === 'hosted' && (
          <Banner kind="pending" title="The certificate is being updated.">
            The next publication, within seconds, covers everything the account holds.
          </Banner>
        )}
        {certificate && (
          <>
            <ValidityBar
              label="Life of the certificate"
              from={certificate.notBefore}
              to={certificate.notAfter}
              renewMs={certificateRenewalMs}
              renewal="renewed automatically"
            />
            <p className="small muted">
              Issued <DateText value={certificate.notBefore} shape="date" />, ends <DateText value={certificate.notAfter} shape="date" />.
              Serial <span className="mono">{certificate.serial.slice(0, 12)}…</span>
            </p>
          </>
        )}
        <ResourceList resources={held} stateOf={stateOf} />
      </Stack>
    </Sheet>
  );
}
