/**
 * Questions, each with what somebody said that answers it and answers none of the others, by language: what tells near from
 * far for an embedding model. Ordinary things that people tell each other; nobody's words.
 */
export const PROBE_TEXTS: readonly (readonly (readonly [question: string, answer: string])[])[] = [
  [
    ["What kind of dog do you have?", "Our puppy is a small brown terrier that barks at everyone."],
    ["Where does your sister work?", "My sister started a new job at the hospital as a nurse."],
    ["How was the trip to the mountains?", "We hiked up to a hut and it snowed on the second day of the holiday."],
    ["Which programming language do you use?", "I write most of my code in Python and some in Rust."],
    ["When is the rent due?", "The landlord wants his money on the first of each month."],
    ["What does she like to eat?", "Her favourite dish is lasagna with a lot of cheese."],
    ["Did you fix the car?", "The mechanic replaced the brakes and the engine runs again."],
    ["What instrument does your son play?", "He practises the violin every evening before bed."],
    ["Why did the deployment fail?", "The server ran out of memory, so the release was rolled back."],
    ["Which team won the match?", "They lost the football game by two goals in the last minutes."],
  ],
  [
    ["Was für einen Hund hast du?", "Unser Welpe ist ein kleiner brauner Terrier, der jeden anbellt."],
    ["Wo arbeitet deine Schwester?", "Sie hat eine neue Stelle als Krankenschwester in der Klinik."],
    ["Wie war der Ausflug in die Berge?", "Wir sind zu einer Hütte gewandert, und am zweiten Tag schneite es."],
    ["Wann ist die Miete fällig?", "Der Vermieter will sein Geld am Ersten jedes Monats."],
    ["Was isst sie gern?", "Ihr Lieblingsgericht ist Lasagne mit viel Käse."],
    ["Welches Instrument spielt dein Sohn?", "Er übt jeden Abend vor dem Schlafen Geige."],
  ],
  [
    ["¿Qué perro tienes?", "Nuestro cachorro es un terrier pequeño que ladra a todos."],
    ["¿Dónde trabaja tu hermana?", "Empezó un trabajo nuevo como enfermera en el hospital."],
    ["¿Qué tal el viaje a la montaña?", "Subimos a un refugio y el segundo día nevó."],
    ["¿Cuándo se paga el alquiler?", "El dueño del piso quiere su dinero el primero de cada mes."],
    ["¿Qué le gusta comer?", "Su plato favorito es la lasaña con mucho queso."],
    ["¿Qué instrumento toca tu hijo?", "Practica el violín cada noche antes de dormir."],
  ],
  [
    ["Какая у тебя собака?", "Наш щенок — маленький терьер, который лает на всех."],
    ["Где работает твоя сестра?", "Она устроилась медсестрой в больницу."],
    ["Как прошла поездка в горы?", "Мы поднялись к хижине, и на второй день пошёл снег."],
    ["Когда платить за квартиру?", "Хозяин ждёт деньги первого числа каждого месяца."],
    ["Что она любит есть?", "Её любимое блюдо — лазанья с сыром."],
    ["На чём играет твой сын?", "Каждый вечер перед сном он упражняется на скрипке."],
  ],
  [
    ["你养的是什么狗？", "我们家的小狗是一只棕色的梗犬，见人就叫。"],
    ["你姐姐在哪里工作？", "她在医院找到了一份护士的新工作。"],
    ["去山里的旅行怎么样？", "我们徒步到了山上的小屋，第二天还下了雪。"],
    ["房租什么时候交？", "房东要求每个月一号付钱。"],
    ["她喜欢吃什么？", "她最爱吃加了很多奶酪的千层面。"],
    ["你儿子会什么乐器？", "他每天晚上睡觉前都练小提琴。"],
  ],
  [
    ["どんな犬を飼っていますか。", "うちの子犬は茶色い小さなテリアで、誰にでも吠えます。"],
    ["お姉さんはどこで働いていますか。", "姉は病院で看護師として新しい仕事を始めました。"],
    ["山への旅行はどうでしたか。", "山小屋まで歩いて登り、二日目には雪が降りました。"],
    ["家賃はいつ払いますか。", "大家さんには毎月一日にお金を払っています。"],
    ["彼女は何が好物ですか。", "チーズたっぷりのラザニアをよく食べます。"],
    ["息子さんは何の楽器を弾きますか。", "毎晩寝る前にバイオリンを練習しています。"],
  ],
  [
    ["ما نوع كلبك؟", "جروُنا صغير بني اللون وينبح على الجميع."],
    ["أين تعمل أختك؟", "بدأت عملاً جديداً ممرضةً في المستشفى."],
    ["كيف كانت الرحلة إلى الجبال؟", "صعدنا إلى كوخ وتساقط الثلج في اليوم الثاني."],
    ["متى يُدفع الإيجار؟", "يريد صاحب البيت ماله في أول كل شهر."],
    ["ماذا تحب أن تأكل؟", "طبقها المفضل هو اللازانيا بالجبن."],
    ["على أي آلة يعزف ابنك؟", "يتدرب على الكمان كل مساء قبل النوم."],
  ],
];
