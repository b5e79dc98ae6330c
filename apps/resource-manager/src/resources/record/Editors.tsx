import type { ResourceRecord } from '@portal/contract/records/records';
import { KeyValueList, Sheet } from '@portal/ui';
import { Fragment } from 'react';
import { FollowButton } from '../../shell/FollowButton.tsx';

/** Who can change the account's numbers, and who is notified of changes. */
export function Editors({ record: { editors, resource } }: { record: ResourceRecord }) {
  return (
    <Sheet
      title={editors.length > 0 ? 'Who can change it' : 'Follow changes'}
      footer={
        <>
          <FollowButton what={{ resource }} name={resource} size="s" />
          <span className="small quiet">Notifies you of each change in whois here</span>
        </>
      }
    >
      {editors.length > 0 ? (
        <KeyValueList
          align="left"
          items={editors.map(({ what, names }) => ({
            key: what,
            value:
              names.length === 0 ? <span className="quiet">Only the registry</span> : <Names names={names} isMono={what === 'API keys'} />,
          }))}
        />
      ) : (
        <p className="small quiet">The holder of these numbers changes them.</p>
      )}
    </Sheet>
  );
}

const SHOWN = 4;

const Names = ({ names, isMono }: { names: readonly string[]; isMono: boolean }) => (
  <span className={isMono ? 'mono' : undefined} title={names.length > SHOWN ? names.join(', ') : undefined}>
    {names.slice(0, SHOWN).map((name, place) => (
      <Fragment key={name}>
        {place > 0 && ', '}
        <span className="nw">{name}</span>
      </Fragment>
    ))}
    {names.length > SHOWN && ` and ${names.length - SHOWN} more`}
  </span>
);
