import type { RootAuthority } from '@portal/contract/rpki/desk';
import { type ResourceKind, DateText, formatCount, KeyValueList, ResourceName } from '@portal/ui';
import { KeyText } from './KeyText.tsx';
import { keyPlaceWords } from './rpki-words.ts';
import styles from './Rpki.module.css';

const kindOf = (resource: string): ResourceKind => (resource.startsWith('AS') ? 'asn' : resource.includes(':') ? 'ipv6' : 'ipv4');

/**
 * Key, certificate and manifest of an authority of the registry.
 * @param uncertified the words shown while it has no certificate
 * @param showsResources whether the resources of its certificate are listed
 */
export function RootAuthorityFacts({
  authority: { keyIdentifier, keyPlace, certificate, manifest },
  uncertified,
  showsResources = false,
}: {
  authority: RootAuthority;
  uncertified: string;
  showsResources?: boolean;
}) {
  return (
    <KeyValueList
      items={[
        { key: 'Key', value: <KeyText keyIdentifier={keyIdentifier} /> },
        { key: 'Kept', value: keyPlaceWords[keyPlace] },
        {
          key: 'Certificate valid until',
          value: certificate ? <DateText value={certificate.notAfter} shape="date" /> : uncertified,
        },
        ...(certificate && showsResources
          ? [
              {
                key: 'Certified resources',
                value: (
                  <span className={styles.resources}>
                    {certificate.resources.map(resource => (
                      <ResourceName key={resource} kind={kindOf(resource)} text={resource} />
                    ))}
                  </span>
                ),
              },
            ]
          : []),
        ...(manifest
          ? [
              {
                key: 'Manifest and CRL',
                value: (
                  <>
                    Number {formatCount(manifest.number)}, until <DateText value={manifest.nextUpdate} shape="utc" />
                  </>
                ),
              },
            ]
          : []),
      ]}
    />
  );
}
