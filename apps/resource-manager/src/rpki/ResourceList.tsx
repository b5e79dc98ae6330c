import { recordAddress } from '@portal/contract/records/record-address';
import { ResourceName, type State, StateMark } from '@portal/ui';
import { kindOf } from './resource-kind.ts';
import styles from './ResourceList.module.css';

/** Resources one a line, each with a state where one is known. */
export function ResourceList({ resources, stateOf }: { resources: readonly string[]; stateOf?: (resource: string) => [State, string] }) {
  return (
    <ul className={styles.list}>
      {resources.map(resource => {
        const [state, word] = stateOf?.(resource) ?? [null, ''];
        return (
          <li key={resource}>
            <ResourceName kind={kindOf(resource)} text={resource} href={recordAddress(resource)} />
            {state && <StateMark state={state}>{word}</StateMark>}
          </li>
        );
      })}
    </ul>
  );
}
