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
          items={byNames(editors).map(({ what, names }) => ({
            key: (
              <>
                {what.map(each => (
                  <div key={each}>{each}</div>
                ))}
              </>
            ),
            value:
              names.length === 0 ? (
                <span className="quiet">Only the registry</span>
              ) : (
                <Names names={names} isMono={what.includes('API keys')} />
              ),
          }))}
        />
      ) : (
        <p className="small quiet">The holder of these numbers changes them.</p>
      )}
    </Sheet>
  );
}

type Editing = ResourceRecord['editors'][number];

/** Groups what the same people change, so that they are named once; API keys stay apart. */
function byNames(editors: readonly Editing[]): { what: string[]; names: Editing['names'] }[] {
  const groups = new Map<string, { what: string[]; names: Editing['names'] }>();
  for (const { what, names } of editors) {
    const key = what === 'API keys' ? what : JSON.stringify(names);
    const group = groups.get(key) ?? { what: [], names };
    group.what.push(what);
    groups.set(key, group);
  }
  return [...groups.values()];
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
