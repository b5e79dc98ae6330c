import type { Books } from '@portal/contract/billing/books';
import { type StaffLimit, staffLimitNames, staffLimits } from '@portal/contract/staff-limits';
import { formatCount, groupDigits, Sheet } from '@portal/ui';
import styles from './Books.module.css';

const shown = (limit: StaffLimit, amount: string): string =>
  staffLimits[limit].unit === 'money' ? groupDigits(amount) : `${formatCount(Number(amount))} ${staffLimits[limit].unit}`;

/** How much the reader, and everyone together, has done alone in the days that count together. Beyond it a second person approves. */
export function OwnLimits({ desk: { limits } }: { desk: Books }) {
  const of = (name: StaffLimit, scope: 'person' | 'everyone') => limits.find(each => each.name === name && each.scope === scope)!;
  return (
    <Sheet title="Limits without a second person" meta={<span>Beyond a limit, a second person approves.</span>}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and so it is reached by the keyboard */}
      <section className={styles.scroll} aria-label="Limits of one person" tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Limit</th>
              <th scope="col" className="num">
                In the last
              </th>
              <th scope="col" className="num">
                You
              </th>
              <th scope="col" className="num">
                Your limit
              </th>
              <th scope="col" className="num">
                Everyone
              </th>
              <th scope="col" className="num">
                Limit for everyone
              </th>
            </tr>
          </thead>
          <tbody>
            {staffLimitNames.map(name => {
              const [person, everyone] = [of(name, 'person'), of(name, 'everyone')];
              return (
                <tr key={name}>
                  <th scope="row">{staffLimits[name].title}</th>
                  <td className="num">{formatCount(person.days)} days</td>
                  <td className="num">
                    <b className="strong">{shown(name, person.recorded)}</b>
                  </td>
                  <td className="num">{shown(name, person.most)}</td>
                  <td className="num">{shown(name, everyone.recorded)}</td>
                  <td className="num">{shown(name, everyone.most)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
    </Sheet>
  );
}
