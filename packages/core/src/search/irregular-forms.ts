/**
 * Forms of English words that no rule of endings leads back to the word, each line a word and its forms. Left out are forms that
 * mostly are other words (rose, ground, wound, lay, bore, bound, lit), or another word's regular ones (lives, leaves), and verbs
 * that so much is said with that they tell nothing (say, tell, know, think, see, mean).
 */
const FORMS = `
arise arose arisen
awake awoke awoken
beat beaten
become became
begin began begun
bend bent
bite bitten
bleed bled
blow blew blown
bonus bonuses
break broke broken
breed bred
bring brought
build built
burn burnt
bus buses
buy bought
cactus cacti
calf calves
campus campuses
catch caught
child children
choose chose chosen
cling clung
come came
creep crept
crisis crises
deal dealt
diagnosis diagnoses
die died dying
dig dug
draw drew drawn
dream dreamt
drink drank drunk
drive drove driven
dwell dwelt
eat ate eaten
fall fell fallen
feed fed
feel felt
fight fought
find found
flee fled
fling flung
fly flew flown
foot feet
forbid forbade forbidden
foresee foresaw foreseen
forget forgot forgotten
forgive forgave forgiven
freeze froze frozen
gas gases
give gave given
go went gone
goose geese
grow grew grown
half halves
hang hung
hear heard
hide hid hidden
hold held
hoof hooves
keep kept
kneel knelt
knife knives
lead led
lean leant
leap leapt
learn learnt
leave left
lend lent
lens lenses
lie lied lying lain
loaf loaves
lose lost
make made
man men
meet met
mishear misheard
mistake mistook mistaken
misunderstand misunderstood
mouse mice
mow mown
outgrow outgrew outgrown
overcome overcame
overeat overate overeaten
overhear overheard
oversee oversaw overseen
oversleep overslept
overtake overtook overtaken
panic panicked panicking
pay paid
person people
picnic picnicked picnicking
prove proven
quiz quizzes
rebuild rebuilt
redo redid redone
repay repaid
rewrite rewrote rewritten
ride rode ridden
ring rang rung
rise risen
run ran
scarf scarves
seek sought
sell sold
send sent
sew sewn
shake shook shaken
shelf shelves
shine shone
shoot shot
show shown
shrink shrank shrunk
sing sang sung
sink sank sunk
sit sat
sleep slept
slide slid
smell smelt
sow sown
speak spoke spoken
speed sped
spell spelt
spend spent
spill spilt
spin spun
spoil spoilt
spring sprang sprung
stand stood
steal stole stolen
stick stuck
sting stung
stink stank stunk
strike struck stricken
string strung
strive strove striven
swear swore sworn
sweep swept
swell swollen
swim swam swum
swing swung
take took taken
teach taught
tear tore torn
thesis theses
thief thieves
throw threw thrown
tie tied tying
tooth teeth
tread trod trodden
understand understood
undertake undertook undertaken
undo undid undone
virus viruses
wake woke woken
wear wore worn
weave wove woven
weep wept
wife wives
win won
withdraw withdrew withdrawn
withstand withstood
wolf wolves
woman women
write wrote written
`;

/** Stems of words that are written in two ways, each line as in Britain and as in America. */
const SPELLINGS = `
analys analyz
apologis apolog
behaviour behavior
cancell cancel
centr center
colour color
cosi cozi
counsell counsel
defenc defens
doughnut donut
enrol enroll
favour favor
favourit favorit
fibr fiber
flavour flavor
fuell fuel
fulfil fulfill
grei grai
harbour harbor
honour honor
humour humor
jewelleri jewelri
labell label
labour labor
licenc licens
litr liter
metr meter
modell model
mould mold
neighbour neighbor
neighbourhood neighborhood
organis organ
practis practic
programm program
pyjama pajama
realis realiz
recognis recogn
rumour rumor
savour savor
sceptic skeptic
theatr theater
travell travel
yoghurt yogurt
`;

const linesOf = (table: string): string[][] =>
  table
    .trim()
    .split("\n")
    .map((line) => line.split(" "));

const WORD_OF: ReadonlyMap<string, string> = new Map(
  linesOf(FORMS).flatMap(([word = "", ...forms]) => forms.map((form) => [form, word] as const)),
);
const STEM_OF: ReadonlyMap<string, string> = new Map(
  linesOf(SPELLINGS).map(([british = "", american = ""]) => [british, american]),
);

/** The word that an irregular form is one of; any other word as it is. Pure. */
export const regularWord = (word: string): string => WORD_OF.get(word) ?? word;

/** A stem as the other spelling of its word has it; any other stem as it is. Pure. */
export const commonStem = (stem: string): string => STEM_OF.get(stem) ?? stem;

const COMMON_STEMS: ReadonlySet<string> = new Set(STEM_OF.values());

/** Whether a stem is that of another spelling as well. Pure. */
export const isCommonStem = (stem: string): boolean => COMMON_STEMS.has(stem);
