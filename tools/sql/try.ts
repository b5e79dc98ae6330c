import { projectFiles } from '../project-files.ts';
import { Scopes } from './scopes.ts';
import { findStatements } from './statements.ts';
import { isSqlTemplate, sourceOf, walk, lineOf } from './syntax.ts';
import fs from 'node:fs';
const t=performance.now();
const sources=(await projectFiles(/^apps\/server\/src\/.*\.ts$/)).filter(({path})=>!path.endsWith('.test.ts')).map(sourceOf);
console.log('parsed',performance.now()-t);
const scopes=new Scopes(sources);
console.log('scopes',performance.now()-t);
const found=findStatements(sources,scopes);
console.log('found',performance.now()-t, found.statements.length, found.statements.reduce((n,s)=>n+s.texts.length,0), found.unreadable.length);
const covered=new Set([...found.templatesOf.values()].flatMap(s=>[...s]));
let un=0; const lines:string[]=[];
for(const s of sources) for(const n of walk(s.program)) if(isSqlTemplate(n)&&!covered.has(n)){un++; lines.push(`${s.path}:${lineOf(s.text,n.start)} ${s.text.slice(n.start,n.start+90).replace(/\s+/g,' ')}`);}
console.log('uncovered',un);
fs.writeFileSync('/tmp/sqlc/uncovered.txt',lines.join('\n'));
fs.writeFileSync('/tmp/sqlc/texts.json',JSON.stringify(found.statements.map(s=>({at:`${s.source.path}:${s.line}`,texts:s.texts})),null,1));
for(const u of found.unreadable) console.log(u.source.path,u.line,u.reason);
