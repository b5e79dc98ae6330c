import { Fragment, type ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './KeyValueList.module.css';

/** Facts about one thing, one per line, ruled. Values are at the right edge, or at the left with `align="left"`. */
export function KeyValueList({
  items,
  align = 'right',
}: {
  items: { key: ReactNode; value: ReactNode; id?: string }[];
  align?: 'left' | 'right';
}) {
  return (
    <dl className={classNames(styles.list, align === 'left' && styles.left)}>
      {items.map((item, index) => (
        <Fragment key={item.id ?? (typeof item.key === 'string' ? item.key : index)}>
          <dt>{item.key}</dt>
          <dd>{item.value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
