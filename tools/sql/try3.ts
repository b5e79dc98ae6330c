import { projectFiles } from '../project-files.ts';
import { Scopes } from './scopes.ts';
import { findStatements } from './statements.ts';
import { isSqlTemplate, sourceOf, walk, lineOf } from './syntax.ts';
import { describeStatements } from './describe.ts';
import { rowType } from './row-types.ts';
import { edited, writeFiles } from './shadow.ts';
import { migrate, openDatabase } from '../../apps/server/src/platform/database/index.ts';
import fs from 'node:fs';
const t=performance.now();
const lap=(w:string)=>console.log(w,Math.round(performance.now()-t), Math.round(process.cpuUsage().user/1000));
const sources=(await projectFiles(/^apps\/server\/src\/.*\.ts$/)).filter(({path})=>!path.endsWith('.test.ts')).map(sourceOf);
const scopes=new Scopes(sources);
const found=findStatements(sources,scopes); lap('found');
const texts=[...new Set(found.statements.flatMap(s=>s.texts))];
const db=await openDatabase({url:'memory://'}); await migrate(db); lap('migrated');
const {described,catalog}=await describeStatements(db,texts); lap('described');
await db.close();
const stat={typed:0,inferred:0,generic:0,columns:0,never:0,possible:0,unknown:0,any:0};
const edits=new Map<string,any[]>();
const places=new Map<string,{s:any,types:Set<string>}>();
for(const s of found.statements){
  for(const text of s.texts){const d=described.get(text)!; if('refusal' in d) continue;
    for(const c of d.columns){stat.columns++; stat[c.nullness]++;}
    const key=`${s.source.path} ${s.place.start}`; const e=places.get(key)??{s,types:new Set()}; places.set(key,e);
    if(d.columns.length>0||s.place.written) e.types.add(rowType(d.columns,catalog,s.place.written?'AnyWord':'string'));
  }
}
for(const {s,types} of places.values()){ if(types.size===0) continue; if(s.generic){stat.generic++;continue;}
  const all=[...types].join(' | ');
  if(all.includes(': any')) stat.any++;
  if(s.place.written) stat.typed++; else stat.inferred++;
  (edits.get(s.source.path)??edits.set(s.source.path,[]).get(s.source.path)!).push(s.place.written?{start:s.place.start,end:s.place.end,text:`CheckedRow<${s.source.text.slice(s.place.start,s.place.end)}, ${all}>`}:{start:s.place.start,end:s.place.end,text:`<${all}>`});
}
console.log(stat);
const files=new Map(sources.map(s=>[s.path, edited(s.text,edits.get(s.path)??[])]));
files.set('checked-row.d.ts',`declare interface AnyWord { readonly anyWord: unique symbol }
type Accepted<Value> = Value extends string ? Value | AnyWord : Value extends readonly string[] ? Value | readonly AnyWord[] : Value;
type AcceptedRow<Row> = { [Name in keyof Row]: Accepted<Row[Name]> };
declare type CheckedRow<Row, Found extends AcceptedRow<Row>> = Row;
`);
files.set('tsconfig.json',JSON.stringify({extends:'../../tsconfig.base.json',compilerOptions2:0,include:['apps/server/src','checked-row.d.ts'],compilerOptions:{noUnusedLocals:false}}));
await writeFiles('/work/wt/sqlcheck/.data/sql',files); lap('written');
