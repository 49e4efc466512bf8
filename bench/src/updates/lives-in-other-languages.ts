import type { Life } from "./lives.ts";

export const LIVES_IN_OTHER_LANGUAGES: readonly Life[] = [
  {
    id: "german",
    changed: [
      [
        "Monatliches Sparziel: 300 Euro auf das Tagesgeldkonto.",
        "Ich lege seit der Gehaltserhöhung jeden Monat 450 € als Sparziel zurück",
        "Wie hoch ist mein monatliches Sparziel?",
      ],
      [
        "Die Hochzeit ist am 14. Juni geplant, mit 80 Gästen.",
        "Wir mussten die Gästeliste der Hochzeit kürzen und laden nur noch 55 Gäste ein",
        "Wie viele Gäste kommen zur Hochzeit?",
      ],
      [
        "Zahnarzttermin am 3. Februar um 9 Uhr.",
        "Die Praxis hat angerufen, der Zahnarzttermin findet am 10. Februar statt",
        "Wann ist der Zahnarzttermin?",
      ],
      [
        "Im Verein trainieren zwölf Kinder in der Judogruppe.",
        "Die Judogruppe im Verein ist auf achtzehn Kinder gewachsen",
        "Wie viele Kinder trainieren in der Judogruppe?",
      ],
      [
        "Die Fahrt ins Büro dauert 40 Minuten mit dem Bus.",
        "Mit dem Rad brauche ich für die Fahrt ins Büro bloß 25 Minuten",
        "Wie lange dauert die Fahrt ins Büro?",
      ],
      [
        "Der Stromverbrauch lag bei 3.200 kWh im Jahr.",
        "Dank der neuen Geräte ist unser Stromverbrauch auf 2.700 kWh gesunken",
        "Wie hoch ist unser Stromverbrauch im Jahr?",
      ],
    ],
    alike: [
      [
        "Der Handyvertrag kostet 20 Euro im Monat.",
        "Der Stromvertrag kostet jetzt 85 Euro im Monat",
        "Was kostet der Handyvertrag im Monat?",
      ],
      [
        "Oma Gerda wird am 5. Mai 80 Jahre alt.",
        "Onkel Jürgen wird am 9. August 60 Jahre alt",
        "Wann wird Oma Gerda 80 Jahre alt?",
      ],
      [
        "Im Schlafzimmer stehen zwei Regale.",
        "Im Arbeitszimmer stehen jetzt fünf Regale",
        "Wie viele Regale stehen im Schlafzimmer?",
      ],
      [
        "Der Elternabend der Schule ist am Dienstag.",
        "Der Elternabend der Kita wurde auf Donnerstag verschoben",
        "An welchem Tag ist der Elternabend der Schule?",
      ],
      ["Unser Hund wiegt 24 Kilo.", "Die Katze wiegt inzwischen 6 Kilo", "Wie viel wiegt unser Hund?"],
      [
        "Das Zelt haben wir für 180 Euro gekauft.",
        "Die Schlafsäcke haben wir nun für 120 Euro gekauft",
        "Für wie viel Euro haben wir das Zelt gekauft?",
      ],
    ],
    earlier: [
      [
        "Die Kaltmiete beträgt 780 Euro.",
        "Die Kaltmiete wurde auf 820 Euro erhöht",
        "Wie hoch war die Kaltmiete ursprünglich?",
      ],
      [
        "Der Umzug ist für den 1. September angesetzt.",
        "Der Umzug findet nun am 15. September statt",
        "Für wann war der Umzug zuerst angesetzt?",
      ],
    ],
  },
  {
    id: "french",
    changed: [
      [
        "Budget vacances : 1 500 € pour deux semaines en Bretagne.",
        "On a revu le budget des vacances, ce sera plutôt 1 900 €",
        "Quel est le budget des vacances ?",
      ],
      [
        "Le rendez-vous chez le notaire est le 12 avril à 10 h.",
        "Le notaire a repoussé notre rendez-vous au 26 avril",
        "Quand est le rendez-vous chez le notaire ?",
      ],
      [
        "La chorale compte quinze chanteurs.",
        "Avec les nouveaux inscrits, nous sommes vingt chanteurs dans la chorale",
        "Combien de chanteurs compte la chorale ?",
      ],
      [
        "Je cours 20 km par semaine.",
        "Depuis le printemps, j'en suis à 32 km de course par semaine",
        "Combien de km est-ce que je cours par semaine ?",
      ],
    ],
    alike: [
      [
        "Le loyer du studio est de 650 €.",
        "Le loyer du garage est maintenant de 90 €",
        "Quel est le loyer du studio ?",
      ],
      [
        "Le cours de yoga a lieu le lundi.",
        "Le cours de dessin a lieu le jeudi désormais",
        "Quel jour a lieu le cours de yoga ?",
      ],
      ["Ma fille Léa a huit ans.", "Mon neveu Hugo a maintenant cinq ans", "Quel âge a ma fille Léa ?"],
      [
        "Le train pour Lille part à 8:15.",
        "Le train pour Metz part désormais à 9:40",
        "À quelle heure part le train pour Lille ?",
      ],
    ],
    earlier: [
      [
        "L'abonnement à la salle coûte 30 € par mois.",
        "L'abonnement à la salle est passé à 35 € par mois",
        "Combien coûtait l'abonnement à la salle au début ?",
      ],
    ],
  },
  {
    id: "spanish",
    changed: [
      [
        "La tienda abre a las 9:00 y cierra a las 14:00.",
        "Con el horario de verano la tienda abre a las 8:30",
        "¿A qué hora abre la tienda?",
      ],
      [
        "El proyecto tiene un presupuesto de 12.000 euros.",
        "Nos aprobaron más dinero: el presupuesto del proyecto llega a 15.500 €",
        "¿Cuál es el presupuesto del proyecto?",
      ],
      [
        "La entrega del informe es el 10 de octubre.",
        "El jefe prefiere que la entrega del informe sea el 20 de octubre",
        "¿Cuándo es la entrega del informe?",
      ],
      [
        "Estudio inglés tres horas por semana.",
        "Para llegar al examen estudio inglés cinco horas por semana",
        "¿Cuántas horas por semana estudio inglés?",
      ],
    ],
    alike: [
      [
        "El gimnasio cuesta 35 euros al mes.",
        "La piscina cuesta ahora 28 euros al mes",
        "¿Cuánto cuesta el gimnasio al mes?",
      ],
      ["La boda de Carla es el 6 de mayo.", "La boda de Inés se cambió al 17 de junio", "¿Cuándo es la boda de Carla?"],
      [
        "Tengo cuatro plantas en el balcón.",
        "Ahora tengo nueve plantas en la terraza",
        "¿Cuántas plantas tengo en el balcón?",
      ],
      ["Mi abuelo vive en Murcia.", "Mi tía vive en Gijón ahora", "¿Dónde vive mi abuelo?"],
    ],
    earlier: [
      ["El alquiler cuesta 600 euros.", "Han subido el alquiler a 650 euros", "¿Cuánto costaba antes el alquiler?"],
    ],
  },
  {
    id: "italian-portuguese-dutch",
    changed: [
      [
        "La banda prova due sere alla settimana.",
        "Prima del concerto la banda prova quattro sere alla settimana",
        "Quante sere alla settimana prova la banda?",
      ],
      ["L'esame di guida è il 4 marzo.", "Hanno rimandato l'esame di guida al 18 marzo", "Quando è l'esame di guida?"],
      [
        "O curso de costura tem 12 alunas.",
        "Com as novas inscrições, o curso de costura já tem 17 alunas",
        "Quantas alunas tem o curso de costura?",
      ],
      [
        "A consulta com a dentista é no dia 5 de abril.",
        "A dentista adiou a consulta para o dia 19 de abril",
        "Quando é a consulta com a dentista?",
      ],
      [
        "De moestuin heeft zes bedden.",
        "We hebben gespit, de moestuin telt intussen negen bedden",
        "Hoeveel bedden heeft de moestuin?",
      ],
      ["Koorrepetitie op maandag.", "De koorrepetitie is voortaan op woensdag", "Op welke dag is de koorrepetitie?"],
    ],
    alike: [
      ["La bici rossa è costata 250 euro.", "Il monopattino è costato 320 euro", "Quanto è costata la bici rossa?"],
      ["Mio zio abita a Torino.", "Mia nonna abita ora a Parma", "Dove abita mio zio?"],
      ["O quarto tem duas janelas.", "A sala tem agora quatro janelas", "Quantas janelas tem o quarto?"],
      ["De trein naar Breda kost 14 euro.", "De bus naar Zwolle kost nu 9 euro", "Wat kost de trein naar Breda?"],
    ],
    earlier: [
      [
        "L'abbonamento costa 40 euro al mese.",
        "L'abbonamento è salito a 45 euro al mese",
        "Quanto costava inizialmente l'abbonamento?",
      ],
      [
        "De contributie bedraagt 80 euro.",
        "De contributie is verhoogd naar 95 euro",
        "Hoeveel was de contributie oorspronkelijk?",
      ],
    ],
  },
  {
    id: "russian-swedish-polish-turkish",
    changed: [
      ["Встреча с юристом назначена на 5 марта.", "Юрист перенёс встречу на 12 марта", "Когда встреча с юристом?"],
      [
        "В библиотеке работают три волонтёра.",
        "Теперь в библиотеке помогают семь волонтёров и работают по субботам",
        "Сколько волонтёров в библиотеке?",
      ],
      [
        "Kören har arton medlemmar och 3 ledare.",
        "Efter hösten har kören 24 medlemmar",
        "Hur många medlemmar har kören?",
      ],
      ["Kurs tańca odbywa się w poniedziałek.", "Kurs tańca przenieśli na czwartek", "Kiedy jest kurs tańca?"],
      ["Bahçede dört kedi var.", "Bahçede yedi kedi oldu, hepsi çok aç", "Bahçede kaç kedi var?"],
    ],
    alike: [
      ["Кухня стоила 200000 рублей.", "Ванная стоила 150000 рублей", "Сколько стоила кухня?"],
      ["Cykeln kostade 4000 kronor.", "Skidorna kostade 2500 kronor", "Vad kostade cykeln?"],
      ["Brat ma 12 lat.", "Siostra ma teraz 9 lat", "Ile lat ma brat?"],
      ["Mutfakta 4 sandalye var.", "Balkonda şimdi 2 sandalye var", "Mutfakta kaç sandalye var?"],
    ],
    earlier: [["Аренда стоит 30000 рублей.", "Аренду подняли до 35000 рублей", "Сколько аренда стоила раньше?"]],
  },
  {
    id: "chinese-japanese-korean",
    changed: [
      ["每周跑步3次", "最近我每周跑步5次,感觉很好", "我每周跑步几次?"],
      ["装修预算是20万元", "装修预算已经涨到26万元了", "装修预算是多少?"],
      ["歯医者の予約は4月3日です", "歯医者の予約が4月10日に変わりました", "歯医者の予約はいつですか?"],
      ["동아리 회원은 12명입니다", "동아리 회원이 18명으로 늘었어요", "동아리 회원은 몇 명입니까?"],
    ],
    alike: [
      ["哥哥今年32岁", "妹妹今年27岁", "哥哥今年几岁?"],
      ["台所の椅子は4脚です", "庭の椅子は6脚です", "台所の椅子は何脚ですか?"],
      ["서울 집의 월세는 70만원입니다", "부산 집의 월세는 50만원입니다", "서울 집의 월세는 얼마입니까?"],
    ],
    earlier: [["健身房月费是200元", "健身房月费涨到了240元", "健身房月费最初是多少?"]],
  },
];
